/** An environment that makes its tasks from rows: capitals of countries. And rows for it. */
import { moduleOf } from './own';

export const rowsModule = moduleOf({
  alphabet: `alphabet: 'abcdefghijklmnopqrstuvwxyz0123456789 ?',`,
  tasks: `export function tasks(rng, split, options, rows) {
  const row = rng.pick(rows);
  return { prompt: row.q, data: row, id: row.q };
}`,
  execute: 'execute: (_, { task }) => task.data.a,',
  reward:
    `export const reward = ({ task, answer }) => ({ success: answer === task.data.a, exact: answer === ` +
    `task.data.a ? 1 : 0 });`,
  demonstrate:
    `export const demonstrate = (task) => [{ calls: [{ name: 'look', arguments: { thing: 'it' } }] }, { ` +
    `answer: task.data.a }];`,
});

/** JSON lines of different rows. */
export const rowsText = (count: number, filling = ''): string =>
  Array.from({ length: count }, (_, i) => `${JSON.stringify({ q: `q ${i}`, a: `a${i}`, filling })}\n`).join('');
