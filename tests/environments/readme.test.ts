/** The example of the authors' page is sound as it stands there. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { check } from './own';

const page = readFileSync('src/environments/README.md', 'utf8');

test.each([1, 2, 3])('the example can be trained, with %d doors', async (doors) => {
  const source = /```js\n([^]*?)```/.exec(page)![1];
  const report = await check(source, (config) => ({
    ...config,
    environment: { ...config.environment, options: { doors } },
  }));
  expect(report).toMatchObject({ title: 'Corridors', tasks: 32, solved: 32 });
  expect(report.lines.filter(({ kind }) => kind === 'problem')).toEqual([]);
});
