/** The order of test files: the slow ones first, so that no worker ends alone with one of them. */
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files of more than about ten seconds, the slowest first. The end of every run lists the ten slowest. */
const slow = [
  'tests/cli/bench/commands.full.test.ts',
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
  'tests/cli/readme-commands.full.test.ts',
  'tests/fuzz/programs.full.test.ts',
  'tests/fuzz/links.full.test.ts',
  'tests/environments/multi-hop-shortcuts.full.test.ts',
  'tests/attacks.full.test.ts',
  'tests/worker/recovery.full.test.ts',
  'tests/model/truncation.full.test.ts',
  'tests/engines/observations.full.test.ts',
  'tests/ops/matmul.test.ts',
  'tests/browser/foreign-files.full.test.ts',
  'tests/browser/waiting.test.ts',
  'tests/environments/worlds.test.ts',
  'tests/rl/critic.test.ts',
  'tests/browser/reward-desk.full.test.ts',
  'tests/rl/presets.test.ts',
  'tests/browser/offline.full.test.ts',
  'tests/browser/imported-rollouts.full.test.ts',
  'tests/browser/runs.test.ts',
  'tests/browser/crowd.test.ts',
  'tests/browser/play.test.ts',
  'tests/browser/finished.test.ts',
  'tests/model/sampler.test.ts',
  'tests/browser/chat.test.ts',
  'tests/browser/rows.full.test.ts',
  'tests/browser/palette.test.ts',
  'tests/ops/attention.test.ts',
  'tests/model/transformer.test.ts',
  'tests/browser/hosting.full.test.ts',
  'tests/browser/forged-links.test.ts',
  'tests/browser/saved-runs.full.test.ts',
  'tests/model/truncation.test.ts',
  'tests/browser/page.test.ts',
  'tests/browser/queue.full.test.ts',
  'tests/browser/author.full.test.ts',
  'tests/browser/deploy.full.test.ts',
  'tests/browser/long-texts.full.test.ts',
  'tests/sandbox/worker-pool.test.ts',
  'tests/browser/training.test.ts',
  'tests/browser/isolation.test.ts',
  'tests/browser/pages.test.ts',
  'tests/browser/whose-run.test.ts',
  'tests/browser/gallery.test.ts',
  'tests/ops/policy-loss.test.ts',
  'tests/worker/saving.test.ts',
  'tests/browser/time-travel.full.test.ts',
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
