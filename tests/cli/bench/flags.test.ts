import { expect, test } from 'vitest';
import { runCommand } from '../../helpers/command';

test.each([
  [['--preset', 'bandit'], /^--preset chooses what --iteration, --first-point or --browser measures/],
  [['--peak', '--iteration'], /^--iteration and --peak each measure one thing/],
  [['--model', 'smollm2-135m', '--peak'], /^--model measures steps, or with --iteration a whole one: leave --peak out/],
  [['--layers', '2'], /^--layers is of --model/],
  [['--model', 'smollm2'], /^--model: there is no shape called "smollm2".* Did you mean smollm2-135m\?/],
  [['--iteration', '--preset', 'bandti'], /^There is no preset called "bandti".* Did you mean bandit\?/],
])('bench %j is refused in a sentence before anything is measured', async (args, sentence) => {
  const { code, stdout, stderr } = await runCommand('bench', ...args);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(sentence);
});
