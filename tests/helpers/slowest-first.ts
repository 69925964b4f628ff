/** The order of test files: the slow ones first, so that no worker ends alone with one of them. */
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longer than 10 seconds, the slowest first. */
const slow = [
  'tests/rl/algorithms.full.test.ts',
  'tests/ops/matmul.test.ts',
  'tests/cli/train.test.ts',
  'tests/rl/critic.test.ts',
  'tests/worker/recovery.test.ts',
  'tests/rl/iteration.test.ts',
  'tests/ops/attention.test.ts',
  'tests/model/transformer.test.ts',
  'tests/worker/saving.test.ts',
  'tests/cli/experiment/experiment.test.ts',
  'tests/environments/multi-hop.test.ts',
];

export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = (file: TestSpecification): number => {
      const at = slow.indexOf(relative(process.cwd(), file.moduleId).replaceAll('\\', '/'));
      return at < 0 ? slow.length : at;
    };
    return files.toSorted((a, b) => rank(a) - rank(b));
  }
}
