/** The order of test files: the slow ones first, so that no worker ends alone with one of them. */
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files of more than about ten seconds, the slowest first. The end of every run lists the ten slowest. */
const slow = [
  'tests/rl/three-steps.full.test.ts',
  'tests/browser/page-faults.full.test.ts',
  'tests/browser/faults.full.test.ts',
  'tests/browser/learning.full.test.ts',
  'tests/browser/buttons.full.test.ts',
  'tests/browser/isolation.full.test.ts',
  'tests/browser/gpu-faults.full.test.ts',
  'tests/rl/bandit.full.test.ts',
  'tests/browser/waiting.full.test.ts',
  'tests/browser/own-environment.full.test.ts',
  'tests/browser/worker-faults.full.test.ts',
  'tests/browser/attacks.full.test.ts',
  'tests/browser/training.full.test.ts',
  'tests/browser/storage-faults.full.test.ts',
  'tests/fuzz/programs.full.test.ts',
  'tests/fuzz/links.full.test.ts',
  'tests/environments/multi-hop-shortcuts.full.test.ts',
  'tests/attacks.full.test.ts',
  'tests/worker/recovery.full.test.ts',
  'tests/model/truncation.full.test.ts',
  'tests/engines/observations.full.test.ts',
  'tests/browser/training.test.ts',
  'tests/checks.test.ts',
  'tests/browser/faults.test.ts',
  'tests/ops/matmul.test.ts',
  'tests/cli/train.test.ts',
  'tests/browser/buttons.test.ts',
  'tests/rl/iteration.test.ts',
  'tests/cli/experiment/run.test.ts',
  'tests/rl/critic.test.ts',
  'tests/rl/recorded-start.test.ts',
  'tests/rl/bandit.test.ts',
  'tests/browser/saved-runs.test.ts',
  'tests/rl/three-steps.test.ts',
  'tests/environments/multi-hop.test.ts',
  'tests/browser/isolation.test.ts',
  'tests/browser/results.test.ts',
  'tests/browser/own-environment.test.ts',
  'tests/cli/run-config.test.ts',
  'tests/browser/links.test.ts',
  'tests/model/sampler.test.ts',
  'tests/browser/estimators.test.ts',
  'tests/worker/saving.test.ts',
  'tests/browser/health.test.ts',
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
