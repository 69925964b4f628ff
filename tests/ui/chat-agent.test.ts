/** Who answers in the chat, and why nobody does; what becomes of an answer whose agent is gone. */
import { describe, expect, it } from 'vitest';
import { presetByName } from '../../src/config/presets';
import type { RunConfig } from '../../src/config/config';
import { warmStartKind } from '../../src/rl/learner/recorded-start';
import type { ChatEvent } from '../../src/rl/rollouts/chat';
import type { PresetInfo } from '../../src/config/catalog';
import { Chat } from '../../src/ui/state/run/chat.svelte';
import { chatAgent, type Situation } from '../../src/ui/state/run/chat.svelte';
import { calculatorDescription } from '../agent/plain-sandbox';

const preset: PresetInfo = { ...presetByName('calculator'), environment: calculatorDescription };
const idle = { state: 'idle', busy: false, iteration: 0, preset, problem: null } as const;

const situation = (config: RunConfig = preset.config, changes: Partial<Situation> = {}): Situation => ({
  ...idle,
  config,
  plan: { parameters: 1, totalBytes: 1, warmStart: warmStartKind(config), problems: [], notices: [] },
  ...changes,
});

describe('chatAgent', () => {
  it('is the recorded agent before a run, and says what it has done', () => {
    const seeded = { ...preset.config, seed: 7, iterations: 3 };
    for (const config of [preset.config, seeded])
      expect(chatAgent(situation(config), false, true)).toEqual({
        kind: 'start',
        name: 'Agent before practice (Calculator)',
        about: 'This agent copied 4,000 examples and has not practised yet. Train, and ask again.',
      });
  });

  it('is the run’s agent as soon as there is one', () => {
    const now = situation(preset.config, { state: 'paused', iteration: 3 });
    expect(chatAgent(now, true, true)).toMatchObject({ kind: 'run', name: 'Agent, iteration 3' });
  });

  const { config } = preset;
  it.each<[string, Situation, RegExp]>([
    ['while a run prepares', situation(config, { state: 'preparing', busy: true }), /being prepared/],
    ['after a run failed', situation(config, { state: 'failed' }), /^The run stopped.*press Reset, then ask/],
    ['before the plan is known', situation(config, { plan: null }), /trainer is starting/],
    ['with a setting out of range', situation(config, { problem: 'Layers must be 1.' }), /cannot be trained: Layers/],
    [
      'in an environment of one’s own',
      situation({ ...config, environment: { ...config.environment, source: 'export {}' } }),
      /not built in.*press Train/,
    ],
    [
      'from scratch',
      situation({ ...config, warmStart: { ...config.warmStart, demonstrations: 0 } }),
      /random weights.*press Train/,
    ],
    [
      'where examples are copied here',
      situation({ ...config, warmStart: { ...config.warmStart, recorded: false } }),
      /copies its examples here.*press Train/,
    ],
    [
      'with another model',
      situation({ ...config, model: { ...config.model, layers: 1 } }),
      /changes the model,.*press Train first, or go back to the preset\.$/,
    ],
    [
      'with other options',
      situation({ ...config, environment: { ...config.environment, options: { operations: 3, max: 99 } } }),
      /changes the environment,/,
    ],
    [
      'with another warm start',
      situation({ ...config, warmStart: { ...config.warmStart, steps: 10 } }),
      /changes the warm start,/,
    ],
    [
      'with moments that are kept',
      situation({ ...config, optimizer: { ...config.optimizer, fresh: false } }),
      /changes “Fresh moments”,/,
    ],
  ])('is nobody %s, with a sentence', (_when, now, sentence) => {
    expect(chatAgent(now, false, true)).toMatchObject({ kind: 'nobody', about: expect.stringMatching(sentence) });
  });

  it('is nobody while the trainer is not there', () => {
    expect(chatAgent(situation(), false, false)).toMatchObject({ kind: 'nobody' });
  });
});

describe('an answer whose agent is gone', () => {
  it('ends with a sentence, and what still comes of it is left out', async () => {
    const chat = new Chat();
    let say: (event: ChatEvent) => void = () => undefined;
    let fail: (error: Error) => void = () => undefined;
    const asked = chat.ask('3+4', 'Agent', (listener) => {
      say = listener;
      return new Promise((_resolve, reject) => (fail = reject));
    });
    say({ type: 'text', text: '3+4' });
    expect(chat.busy).toBe(true);
    chat.abandon();
    expect(chat.busy).toBe(false);
    say({ type: 'done', answer: '8', solved: null, end: 'answer' });
    fail(new Error('the run was dropped'));
    await asked;
    const sentence = 'This answer was stopped, because its agent is gone. Ask again.';
    expect(chat.turns).toMatchObject([{ parts: [{ text: '3+4' }], answer: undefined, problem: sentence }]);
  });

  it('leaves answers that had ended as they are', async () => {
    const chat = new Chat();
    await chat.ask('3+4', 'Agent', async (listener) =>
      listener({ type: 'done', answer: '7', solved: null, end: 'answer' }),
    );
    chat.abandon();
    expect(chat.turns).toMatchObject([{ answer: '7', problem: null }]);
  });
});
