// @vitest-environment dom
/** The trainer of the lessons: one run at a time, apart from the Lab's, which ends, fails, is replaced or stopped. */
import { beforeEach, expect, it, vi } from 'vitest';
import { Practice } from '../../src/ui/pages/learn/practice.svelte';
import * as client from '../../src/ui/trainer/trainer-client';
import { FakeBrowser, FakeTrainer, settle, stubPage } from '../helpers/fake-trainer';
import { solved } from '../helpers/token-rollouts';
import { soon } from '../helpers/soon';

stubPage();

let practice: Practice;
let browser: FakeBrowser;
/** What each trainer was started with. */
let options: unknown[];
beforeEach(() => {
  browser = new FakeBrowser();
  options = [];
  vi.spyOn(client, 'startTrainer').mockImplementation((onCrash, more) => {
    options.push(more);
    browser.trainers.push(new FakeTrainer(browser, onCrash));
    return browser.trainer;
  });
  practice = new Practice();
});
/** Trains a link, and how that ended, once it has. */
async function train(link = 'preset=bandit&steps=3') {
  const said: string[] = [];
  const before = browser.trainers.flatMap(({ orders }) => orders).length;
  void practice.train(link).then(
    () => said.push('done'),
    (error: Error) => said.push(error.message),
  );
  const began = async () => {
    await settle();
    expect(browser.trainers.flatMap(({ orders }) => orders).length + said.length).toBeGreaterThan(before);
  };
  await soon(began);
  return said;
}

it('trains the run of a link to its end, and the next one with the same trainer', async () => {
  const first = await train('preset=bandit&seed=4&steps=3');
  expect([browser.trainer.orders, options, first]).toEqual([['train 4'], [{ apart: true }], []]);
  expect(practice.run.state).toBe('preparing');
  browser.trainer.play(2);
  await settle();
  expect([practice.run.iteration, first]).toEqual([2, []]);
  browser.trainer.play('finished');
  await settle();
  expect([first, practice.run.iteration]).toEqual([['done'], 3]);
  await train();
  expect([browser.trainers.length, browser.trainer.orders, practice.run.metrics]).toEqual([
    1,
    ['train 4', 'train 1'],
    [],
  ]);
});

it('gives way to another run, and is stopped with its trainer', async () => {
  const first = await train();
  const second = await train();
  expect([first, second]).toEqual([['Another figure was started.'], []]);
  browser.trainer.play(1);
  practice.stop();
  await settle();
  expect([second, browser.trainer.isTerminated, practice.run.state, practice.run.metrics]).toEqual([
    ['The run was stopped.'],
    true,
    'idle',
    [],
  ]);
  await train();
  expect(browser.trainers.map(({ isTerminated }) => isTerminated)).toEqual([true, false]);
});

it('says why a run failed, or that its trainer died', async () => {
  const first = await train();
  browser.trainer.tell({ type: 'state', state: 'failed', message: 'It diverged.' });
  await settle();
  const second = await train();
  browser.trainer.tell({ type: 'state', state: 'failed' });
  await settle();
  const third = await train();
  const [dead] = browser.trainers;
  dead.crash('There is no room.');
  await settle();
  expect([first, second, third]).toEqual([
    ['It diverged.'],
    ['The run ended before its last iteration.'],
    ['There is no room.'],
  ]);
  const fourth = await train();
  // The one that died has nothing more to say.
  dead.crash('Again.');
  await settle();
  expect([fourth, dead.isTerminated, browser.trainer.isTerminated]).toEqual([[], true, false]);
});

it('says why a run cannot begin', async () => {
  browser.refusal = { type: 'state', state: 'failed', message: 'There is no device.' };
  expect(await train()).toEqual(['There is no device.']);
});

it('explains the tokens of a run that has begun', async () => {
  await expect(practice.explain(solved)).rejects.toThrow('The run was stopped.');
  await train();
  await expect(practice.explain(solved)).rejects.toThrow('The run was stopped.');
  browser.trainer.play(1);
  const explainTokens = vi.fn(async () => ({ steps: [] }));
  browser.trainer.answer({ explainTokens: explainTokens as never });
  expect(await practice.explain(solved)).toEqual({ steps: [] });
  expect(explainTokens).toHaveBeenCalledWith(solved, practice.run.started!.config);
});
