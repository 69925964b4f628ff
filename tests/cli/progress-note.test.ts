import { expect, test } from 'vitest';
import { progressNote } from '../../src/cli/progress-note';

test('success on unseen tasks is shown with the step at which it was measured', () => {
  const measured = [0.52, null, null, 1].map((validationSuccess, i) => ({
    iteration: i + 1,
    success: 0.5,
    validationSuccess,
  }));
  const notes = measured.map((_, i) => progressNote(measured.slice(0, i + 1)));
  expect(notes.map((note) => /unseen tasks .*? at iteration \d/.exec(note)?.[0])).toEqual([
    'unseen tasks 52.0 % at iteration 1',
    'unseen tasks 52.0 % at iteration 1',
    'unseen tasks 52.0 % at iteration 1',
    'unseen tasks 100.0 % at iteration 4',
  ]);
  expect(progressNote([{ ...measured[1] }])).not.toContain('unseen');
});
