/** Played episodes of a preset's world, as the world draws them. */
import { expect } from 'vitest';
import { canDraw, drawEpisode, type Drawing } from '../../src/agent/drawing';
import { seedOfEpisodes } from '../../src/agent/episode';
import { CallReader } from '../../src/agent/read-action';
import type { Scene } from '../../src/agent/scene';
import type { Trajectory } from '../../src/agent/types';
import { builtInEnvironments } from '../../src/environments/built-in';
import type { presets } from '../../src/config/presets';
import { scriptedTrajectories } from '../../src/rl/rollouts/scripted';
import { observationLimit, prepareRun } from '../../src/rl/rollouts/setup';
import { marksOf, textBox, wordsOf } from '../../src/share/scenes/marks';
import { toolFormats } from '../../src/text/tool-formats/by-name';
import { emptySandbox } from './own';

type Preset = (typeof presets)[number];

/** The world of a preset, played by two of its policies and drawn. */
async function drawings({ config }: Preset, episodes: number): Promise<[Trajectory, Drawing][]> {
  const sandbox = await emptySandbox();
  const { name, options } = config.environment;
  const setup = await prepareRun(config, builtInEnvironments[name], sandbox);
  const { description, client } = setup;
  expect(canDraw(description)).toBe(true);
  const reader = new CallReader({ description, format: toolFormats[config.text.toolFormat], observationLimit });
  const tasks = await client.tasks('validation', 5, 0, episodes, options);
  const seed = seedOfEpisodes(config.seed);
  const drawn: [Trajectory, Drawing][] = [];
  for (const policy of ['oracle', 'random'])
    for (const [place, each] of (await scriptedTrajectories(setup, tasks, policy)).entries())
      drawn.push([each, await drawEpisode({ description, sandbox, reader }, each.task, each, { seed, place })]);
  return drawn;
}

/** Texts that leave the picture. */
function outside(scene: Scene): string[] {
  return marksOf(scene).flatMap((mark) => {
    if (mark.kind !== 'text') return [];
    const { x, y, width, height } = textBox(mark);
    const fits = x >= -0.5 && y >= -0.5 && x + width <= scene.width + 0.5 && y + height <= scene.height + 0.5;
    return fits ? [] : [mark.text];
  });
}

/** @param episodes of each of the two policies */
export async function expectSoundDrawings(preset: Preset, episodes: number): Promise<void> {
  const drawn = await drawings(preset, episodes);
  expect(drawn).toHaveLength(2 * episodes);
  for (const [{ steps }, drawing] of drawn) {
    if ('problem' in drawing) throw new Error(drawing.problem);
    expect(drawing.scenes).toHaveLength(steps.length + 1);
    expect(drawing.scenes.flatMap(outside)).toEqual([]);
    expect(drawing.scenes.every((scene) => wordsOf(scene).length > 0)).toBe(true);
    expect(drawing.scenes.every((scene) => marksOf(scene).length > 0)).toBe(true);
    expect(new Set(drawing.scenes.map((scene) => JSON.stringify(scene))).size).toBeGreaterThan(1);
  }
}
