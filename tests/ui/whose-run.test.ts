/**
 * All that the page says of a run is of the run that is shown: the recorded one of its own preset, the author's of an
 * open link, or this tab's.
 */
import { describe, expect, it } from 'vitest';
import type { RolloutView } from '../../src/rl/rollouts/view';
import { answerRecordings, answers, configOf, page, recordingOf, rollout, start } from '../helpers/displayed-run';

answerRecordings();

describe('recordings', () => {
  it('plays the chosen preset’s, whichever answer comes last', async () => {
    const { choose, replay, shown } = page();
    choose('bandit');
    choose('calculator-mini');
    choose('bandit');
    await answers.get('bandit')!(recordingOf('bandit'));
    await answers.get('calculator-mini')!(recordingOf('calculator-mini'));
    await answers.get('calculator')!(recordingOf('calculator'));
    expect(replay.recording?.preset).toBe('bandit');
    expect(shown.environment?.title).toBe('Title of bandit');
    expect(shown.answers[0][2].prompt).toBe('asked by bandit');
    choose('calculator-mini');
    expect(replay.recording?.preset).toBe('calculator-mini');
  });

  it('goes over from a long run to a short one', async () => {
    const { choose, replay } = page();
    await answers.get('calculator')!(recordingOf('calculator'));
    replay.play(true);
    expect([replay.shown, replay.rollouts.length]).toEqual([3, 2]);
    choose('bandit');
    const { metrics, ...rest } = recordingOf('bandit');
    await answers.get('bandit')!({ ...rest, metrics: metrics.slice(0, 1) });
    expect(replay.rollouts.map(({ prompt }) => prompt)).toEqual(['asked by bandit']);
  });

  it('says so where a preset has none, or where the file is of another preset', async () => {
    const { choose, replay, shown } = page();
    await answers.get('calculator')!(recordingOf('calculator'));
    for (const [name, file] of [
      ['bandit', null],
      ['multi-hop', recordingOf('calculator')],
    ] as const) {
      choose(name);
      expect(replay.missing).toBe(false);
      await answers.get(name)!(file);
      expect([replay.missing, replay.recording, shown.metrics, shown.rollouts, shown.answers]).toEqual([
        true,
        null,
        [],
        [],
        [],
      ]);
      expect(shown.environment?.title).toBe(`Title of ${configOf(name).environment.name}`);
    }
  });
});

describe('a run', () => {
  it('keeps its heading and its ghost when another preset is chosen', async () => {
    const { choose, shown, begin, run, setup } = page();
    await answers.get('calculator')!(recordingOf('calculator'));
    choose('bandit');
    await answers.get('bandit')!(recordingOf('bandit'));
    begin(configOf('bandit'));
    choose('calculator');
    for (const until of ['ordered', 'started']) {
      expect(shown.environment?.title, until).toBe('Title of bandit');
      expect(shown.answers, 'none of the recorded run').toEqual([]);
      expect(shown.askable, until).toEqual(['asked in bandit']);
      expect(shown.total, until).toBe(configOf('bandit').iterations);
      // The validations of the bandit's recorded run, and not its practice.
      expect(shown.ghost?.points, until).toEqual([
        { x: 1, y: 0.25 },
        { x: 3, y: 0.75 },
      ]);
      start(run, configOf('bandit'));
    }
    expect(setup.preset?.name).toBe('calculator');
  });

  it('is shown by its own answers to the same tasks, and at its end by a task that it learned', async () => {
    const { begin, run, shown } = page();
    await answers.get('calculator')!(recordingOf('calculator'));
    expect(shown.answers[0][2].prompt).toBe('asked by calculator');
    begin(configOf('calculator'));
    start(run, configOf('calculator'));
    const tell = (sameTasks: RolloutView[][]) => run.take({ type: 'same-tasks', sameTasks }, 0);
    tell([[rollout(0, false, 'a')], [rollout(0, false, 'b')]]);
    expect(shown.answers.map((task) => task.map(({ prompt }) => prompt))).toEqual([['a'], ['b']]);
    const learned = rollout(4, true, 'b');
    tell([
      [rollout(0, false, 'a'), rollout(4, false, 'a')],
      [rollout(0, false, 'b'), learned],
    ]);
    expect(shown.answers[0][1].prompt, 'tasks keep their places while it trains').toBe('a');
    expect(shown.solvedAnswer).toBeNull();
    run.take({ type: 'state', state: 'finished' }, 0);
    expect(shown.answers[0][1]).toEqual(learned);
    expect(shown.solvedAnswer).toEqual(learned);
    shown.view = 'recording';
    expect([shown.answers[0][2].prompt, shown.solvedAnswer]).toEqual(['asked by calculator', null]);
    shown.view = 'author';
    expect(shown.answers, 'an author sends no answers').toEqual([]);
  });

  it('is not drawn against a run in another environment', async () => {
    const { shown, begin } = page();
    await answers.get('calculator')!(recordingOf('calculator'));
    const config = configOf('calculator');
    begin({ ...config, optimizer: { ...config.optimizer, learningRate: 1e-5 } });
    expect(shown.ghost).not.toBeNull();
    begin({ ...config, environment: { ...config.environment, options: { ...config.environment.options, max: 9 } } });
    expect(shown.ghost).toBeNull();
  });

  it('in an environment of its own has nothing of a preset', async () => {
    const { setup, shown, begin, replay } = page();
    await answers.get('calculator')!(recordingOf('calculator'));
    const config = {
      ...configOf('calculator'),
      environment: { ...configOf('calculator').environment, source: 'export const meta = {};' },
    };
    setup.loadLinked('calculator', config);
    expect([replay.recording, replay.missing, shown.environment, shown.answers, shown.metrics]).toEqual([
      null,
      true,
      null,
      [],
      [],
    ]);
    begin(config);
    expect([shown.environment, shown.ghost, shown.answers, shown.askedBefore, shown.askable]).toEqual([
      null,
      null,
      [],
      [],
      [],
    ]);
  });
});
