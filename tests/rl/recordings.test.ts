import { readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { RunConfig } from '../../src/config/config';
import { environmentSource } from '../../src/config/environment-source';
import { groupMembers } from '../../src/algorithms/episodes/groups';
import type { Metrics } from '../../src/rl/report';
import type { RolloutView } from '../../src/rl/rollouts/view';
import { presets } from '../../src/config/presets';
import { engineVersion } from '../../src/config/run-link';
import { readRecording, type Recording } from '../../src/share/recording';

const recordingOf = (preset: string): Recording<RunConfig, Metrics, RolloutView> =>
  readRecording(JSON.parse(readFileSync(`public/recordings/${preset}.json`, 'utf8')));

test.each(presets)('the recording of $name is a run of this preset on this engine', ({ name, config }) => {
  const recording = recordingOf(name);
  expect(recording.preset).toBe(name);
  expect(recording.engineVersion).toBe(engineVersion);
  expect(recording.config, 'also settings that are newer than the run').toEqual(config);
  expect(recording.metrics).toHaveLength(config.iterations);
  expect(recording.groups).toBe(config.rollout.tasks);
});

test.each(presets)(
  'each kept iteration of $name has four groups whose rewards differ, the most different first',
  ({ name, config }) => {
    const { rollouts } = recordingOf(name);
    const iterations = [...groupMembers(rollouts.map(({ iteration }) => iteration)).values()];
    expect(iterations.length).toBeGreaterThan(2);
    for (const members of iterations) {
      const kept = members.map((i) => rollouts[i]);
      const groups = [...groupMembers(kept.map(({ group }) => group)).values()].map((indices) =>
        indices.map((i) => kept[i].reward),
      );
      expect(groups.length).toBeGreaterThanOrEqual(4);
      for (const rewards of groups) expect(rewards).toHaveLength(config.rollout.group);
      const deviations = groups.map(deviation);
      expect(Math.min(...deviations)).toBeGreaterThan(0);
      expect(deviations).toEqual([...deviations].sort((a, b) => b - a));
    }
  },
);

test.each(presets)(
  '$name: the same unseen tasks after the warm start, halfway and at the end, one of them learned',
  ({ name, config }) => {
    const { answers } = recordingOf(name);
    expect(answers.length).toBeGreaterThan(2);
    for (const task of answers) {
      expect(task.map(({ iteration }) => iteration)).toEqual([0, Math.round(config.iterations / 2), config.iterations]);
      for (const same of ['taskId', 'prompt', 'index'] as const)
        expect(new Set(task.map((each) => each[same])).size).toBe(1);
    }
    expect([answers[0][0].success, answers[0][2].success]).toEqual([false, true]);
  },
);

test.each(presets)(
  '$name has success of the warm start and at the end on 1,000 tasks, also out of distribution',
  ({ name, config }) => {
    const { heldOut, metrics } = recordingOf(name);
    expect(heldOut!.tasks).toBe(1000);
    const hasOther = /^ {2}outOfDistribution:/m.test(environmentSource(config));
    for (const moment of [heldOut!.warmStart, heldOut!.end])
      expect(moment.outOfDistribution !== null, name).toBe(hasOther);
    // The run is validated on fewer tasks.
    expect(Math.abs(heldOut!.end.validation - metrics.at(-1)!.validationSuccess!)).toBeLessThan(0.1);
  },
);

test('the README’s table of worlds has the numbers of the recordings', () => {
  const readme = readFileSync('README.md', 'utf8');
  const rows = [...readme.matchAll(/^\| `([a-z-]+)` \| .* \| ([\d.]+) \| ([\d.]+) \| (.*) \|$/gm)];
  const worlds = presets.map(({ name }) => name);
  expect(rows.map(([, name]) => name).sort()).toEqual(worlds.sort());
  for (const [, name, warm, end, outside] of rows) {
    const { heldOut } = recordingOf(name);
    const percent = (share: number | null) =>
      share === null ? '–' : (100 * share).toFixed(1).replace(/^100\.0$/, '100');
    const moments = [heldOut!.warmStart, heldOut!.end];
    expect([warm, end], name).toEqual(moments.map(({ validation }) => percent(validation)));
    const both = moments.map(({ outOfDistribution }) => percent(outOfDistribution));
    expect(outside, name).toBe(heldOut!.end.outOfDistribution === null ? '–' : both.join(' → '));
  }
});

test('what the README says of the calculator is its recording, on this engine', () => {
  const readme = readFileSync('README.md', 'utf8');
  const { heldOut, metrics } = recordingOf('calculator');
  const percent = (share: number | null | undefined) => `${(100 * share!).toFixed(1)} %`;
  const thousands = Math.round(metrics.reduce((sum, { sampledTokens }) => sum + sampledTokens, 0) / 1000);
  const [warm, end] = [heldOut!.warmStart, heldOut!.end].map(({ validation }) => percent(validation));
  expect(readme).toContain(`goes from **${warm}** to **${end}** after ${metrics.length} iterations`);
  expect(readme).toContain(`; after 8, ${percent(metrics[7].validationSuccess)} of 256.`);
  expect(readme).toContain(`(engine ${engineVersion}, on the CPU, ${thousands} thousand sampled tokens;`);
});

test('how often the README says that the clerk obeyed is its recording', () => {
  const { warmStart, end } = recordingOf('clerk').heldOut!;
  const obeyed = (terms: Readonly<Record<string, number>> | null) => Math.round((100 * terms!.obeyed) / terms!.met);
  const moments = [warmStart.rewardTerms!, end.rewardTerms!];
  const [known, unseen] = (['validation', 'outOfDistribution'] as const).map((split) =>
    moments.map((terms) => obeyed(terms[split])),
  );
  const readme = readFileSync('README.md', 'utf8').replaceAll('\n', ' ');
  expect(readme).toContain(
    `did what it says in ${known[0]} % of cases after the warm start and in ${known[1]} % at the end; ` +
      `of orders in words that training has not, in ${unseen[0]} and ${unseen[1]} %`,
  );
});

test.each(presets)('the recording of $name is small', ({ name }) => {
  expect(statSync(`public/recordings/${name}.json`).size).toBeLessThanOrEqual(150_000);
});

/** Rounded as rewards in the file are. */
function deviation(rewards: readonly number[]): number {
  const mean = rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length;
  return Number(Math.sqrt(rewards.reduce((sum, reward) => sum + (reward - mean) ** 2, 0)).toPrecision(6));
}
