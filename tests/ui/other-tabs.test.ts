/** A saved run cannot be resumed while another tab trains: the lock that the trainer holds says so. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isSomeTabTraining } from '../../src/ui/app/page-life';

const holding = (...names: string[]) => ({ query: async () => ({ held: names.map((name) => ({ name })) }) });

test('the lock of the trainer says that a tab trains, and no other lock does', async () => {
  const [, name] = /request\('([^']+)'/.exec(readFileSync('src/run/tab-lock.ts', 'utf8'))!;
  expect(await isSomeTabTraining(holding('another', name))).toBe(true);
  expect(await isSomeTabTraining(holding('another'))).toBe(false);
  expect(await isSomeTabTraining({ query: async () => ({}) }), 'a browser that tells nothing').toBe(false);
  expect(await isSomeTabTraining(undefined), 'a browser without locks').toBe(false);
});
