/** A visitor's rounds: tasks, turns, scores, and the rounds that teach. */
import { beforeEach, expect, test } from 'vitest';
import type { RunConfig } from '../../src/config/config';
import { readRounds, writeRounds } from '../../src/config/rounds';
import type { Round, RoundView } from '../../src/rl/rollouts/rounds';
import type { RolloutView } from '../../src/rl/rollouts/view';
import { RoundPlayer } from '../../src/ui/panels/play/round-player.svelte';
import { text } from '../../src/ui/panels/play/text';
import { Setup } from '../../src/ui/state/setup/setup.svelte';
import { catalogOf } from '../helpers/catalog';
import { configOf, rollout } from '../helpers/displayed-run';

const agent = configOf('bandit');
const turn = (answer: string) => ({ answer });
const settled = () => new Promise((resolve) => setTimeout(resolve));

let setup: Setup;
let asked: { round: Round; config: RunConfig; answer: (view: Partial<RoundView>) => void; fail: (e: Error) => void }[];
let player: RoundPlayer;

const view = (round: Round, more: Partial<RoundView>): RoundView =>
  ({ steps: round.turns.map(() => []), end: null, success: false, reward: 0, problem: null, ...more }) as RoundView;

beforeEach(() => {
  setup = new Setup();
  setup.adopt(catalogOf('calculator-mini'));
  asked = [];
  player = makePlayer();
});

const makePlayer = () =>
  new RoundPlayer(setup, () => {
    const play = (round: Round, config: RunConfig) =>
      new Promise<RoundView>((resolve, reject) =>
        asked.push({ round, config, answer: (more) => resolve(view(round, more)), fail: reject }),
      );
    return { play } as never;
  });

const answersAt = (index: number): RolloutView[] => [{ ...rollout(0, false, 'q'), index }];

async function answered(playing: Promise<boolean>, more: Partial<RoundView> = {}): Promise<boolean> {
  asked.at(-1)!.answer(more);
  return playing;
}

test('the agent’s tasks are played in order, and from the first again, under the agent’s config', async () => {
  await answered(player.open(agent, [answersAt(7), answersAt(9)]));
  expect(asked[0]).toMatchObject({ round: { split: 'validation', index: 7, turns: [] }, config: agent });
  expect(player.answers.map(({ index }) => index)).toEqual([7]);
  await answered(player.next());
  expect(asked[1].round.index).toBe(9);
  await answered(player.next());
  expect(asked[2].round.index).toBe(7);
});

test('without answers the tasks are those of the validation in their order', async () => {
  await answered(player.open(agent, []));
  await answered(player.next());
  expect(asked.map(({ round }) => round.index)).toEqual([0, 1]);
});

test('a turn that is played is kept, one that the world refused is not, and none is played while one is', async () => {
  await answered(player.open(agent, []));
  expect(await answered(player.act(turn('1')))).toBe(true);
  expect(player.turns).toEqual([turn('1')]);
  expect(await answered(player.act(turn('2')), { steps: [[]], problem: 'No such arm.' })).toBe(false);
  expect([player.turns, player.problem, player.busy]).toEqual([[turn('1')], 'No such arm.', false]);
  const first = player.act(turn('3'));
  expect(await player.act(turn('4')), 'the one before is under way').toBe(false);
  expect(asked.at(-1)!.round.turns).toEqual([turn('1'), turn('3')]);
  await answered(first, { end: 'answer', success: true });
  expect(await player.act(turn('5')), 'the round is over').toBe(false);
});

test('the first try of a task counts, again or not', async () => {
  await answered(player.open(agent, [answersAt(0), answersAt(1)]));
  await answered(player.act(turn('1')), { end: 'answer', success: false });
  expect([player.isOver, player.solved, player.tried]).toEqual([true, 0, 1]);
  await answered(player.begin());
  await answered(player.act(turn('1')), { end: 'answer', success: true });
  expect([player.solved, player.tried], 'a second try changes nothing').toEqual([0, 1]);
  await answered(player.next());
  await answered(player.act(turn('1')), { end: 'answer', success: true });
  expect([player.solved, player.tried]).toEqual([1, 2]);
});

test('an answer that comes late is left out, and a failure is a sentence', async () => {
  void player.open(agent, [answersAt(0), answersAt(1)]);
  const later = player.next();
  asked[0].answer({ problem: 'late' });
  await settled();
  expect([player.round, player.busy, player.problem]).toEqual([null, true, '']);
  asked[1].fail(new Error('It is gone.'));
  expect(await later).toBe(false);
  expect([player.problem, player.busy]).toEqual(['It is gone.', false]);
  const closed = player.begin();
  player.close();
  asked[2].fail(new Error('Nobody reads this.'));
  expect(await closed).toBe(false);
  expect(player.problem).toBe('');
});

test('without a trainer or a config a round says so', async () => {
  expect(await new RoundPlayer(setup, () => null).open(agent, [])).toBe(false);
  const waiting = makePlayer();
  expect(await waiting.open(null, [])).toBe(false);
  expect(waiting.problem).toBe(text.notReady);
  expect(asked).toEqual([]);
});

test('a solved practice round teaches, and the next one is on a task that no round teaches yet', async () => {
  setup.teach(writeRounds([0, 1].map((task) => ({ task, turns: [turn('x')] }))));
  player = makePlayer();
  await answered(player.open(agent, []));
  await answered(player.turnTo(true));
  expect(asked.at(-1)).toMatchObject({ round: { split: 'train', index: 2 }, config: setup.config });
  await answered(player.act(turn('5')), { end: 'answer', success: true });
  expect([player.isKept, player.tried], 'practice is not scored').toEqual([false, 0]);
  player.problem = 'It was refused before.';
  player.keep();
  expect(readRounds(setup.config?.warmStart.rounds).map(({ task }) => task)).toEqual([0, 1, 2]);
  expect(player.problem).toBe('');
  player = makePlayer();
  await answered(player.open(agent, []));
  await answered(player.turnTo(true));
  expect(asked.at(-1)!.round.index).toBe(3);
  await answered(player.next());
  expect(asked.at(-1)!.round.index).toBe(4);
  player.remove(player.taught[1]);
  expect(readRounds(setup.config?.warmStart.rounds).map(({ task }) => task)).toEqual([0, 2]);
  player.remove(player.taught[0]);
  player.remove(player.taught[0]);
  expect(setup.config!.warmStart, 'the last one leaves nothing').not.toHaveProperty('rounds');
});

test('what teaches needs a warm start, so a setup from scratch gets one', () => {
  setup.setFromScratch(true);
  setup.teach('');
  expect(setup.fromScratch).toBe(true);
  setup.teach(writeRounds([{ task: 0, turns: [turn('x')] }]));
  expect(setup.fromScratch).toBe(false);
});
