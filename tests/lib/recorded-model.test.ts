/** What the page says of the model that comes with it is what is in the folder. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordedModel } from '../../src/lib/recorded-model';

const { folder, files, bytes, tuned } = recordedModel;
const at = (file: string) => join('public', folder, file);

test('its files and settings are there, and are as large as is said', () => {
  expect(files.reduce((sum, file) => sum + statSync(at(file)).size, 0)).toBe(bytes);
  for (const preset of tuned) expect(existsSync(at(`${preset}.json`)), preset).toBe(true);
});
