/** Sentences of a run's rollouts and of its files, in the page and in the terminal. */
import { plural, signed } from '../lib/format';
import type { StepView } from '../rl/rollouts/view';

export const text = {
  noAnswer: 'no answer',
  rollout: {
    where: (iteration: number, index: number) => `iteration ${iteration} · rollout ${index}`,
    outcome: (success: boolean) => (success ? '✓ solved' : '✗ failed'),
    reward: 'reward',
    advantage: 'advantage',
    answer: 'Answer:',
  },
  group: {
    average: 'The dashed line is the average.',
    equal: 'All rollouts scored the same.',
    nothingToLearn: 'All rollouts scored the same, so there is nothing to learn from this task.',
  },
  divergence: {
    parted: (turn: number, best: string, worst: string) =>
      `Best and worst part in turn ${turn}: the best wrote ${best}, the worst ${worst}.`,
    ended: 'nothing more',
    others: 'anything else',
    equal: 'All rollouts scored the same, so none is best or worst.',
    cut: 'Of long rollouts, only the part about the mark is drawn.',
    same: 'Best and worst wrote the same tokens: the reward differed by what the task drew.',
    legend: 'Dim: the same as in the best rollout. The frame marks the first token that differs.',
    reward: 'reward',
    advantage: 'advantage',
    wrote: 'what the agent wrote and saw',
    table: 'Rollouts of this task, best first',
    times: (count: number) => (count === 1 ? '' : ` ×${count}`),
    read: (reward: string) => `Read the rollout with reward ${reward}`,
  },
  /** Histograms of an iteration's rollouts. */
  distributions: {
    title: 'Distributions',
    hint: 'how rewards, advantages, lengths and tokens of this iteration are spread',
    equal: (count: string, value: string) => `${count}, all at ${value}.`,
    spread: (count: string, low: string, high: string, mean: string, most: number, where: string) =>
      `${count} from ${low} to ${high}, mean ${mean}; the highest bar has ${most}, at ${where}.`,
    range: (from: string, to: string) => `${from} to ${to}`,
    reward: { name: 'Reward', meaning: 'What each rollout scored.' },
    advantage: { name: 'Advantage', meaning: 'What each token was credited with. At 0 nothing is learned.' },
    length: { name: 'Length', meaning: 'Tokens that the agent wrote in a rollout.' },
    turns: { name: 'Turns', meaning: 'Turns of a rollout.' },
    probability: { name: 'Probability', meaning: 'How likely each written token was when it was sampled.' },
    entropy: { name: 'Entropy', meaning: 'How undecided the agent was at each token, in nats.' },
    ratio: {
      name: 'Log-ratio to the reference',
      meaning: 'How much likelier each token has become since the warm start, in nats.',
    },
  },
  /** Two rollouts line by line. */
  diff: {
    title: 'Difference',
    compare: 'Compare with…',
    pick: (where: string) => `Pick another rollout: here it is compared with ${where}.`,
    legend: (first: string, second: string) => `Struck: only in ${first}. Underlined: only in ${second}.`,
    stop: 'Stop comparing',
    only: { first: 'only in the first: ', second: 'only in the second: ' },
    same: 'Both hold the same lines.',
    differ: (differ: number, lines: number, who: string) =>
      `${differ} of ${plural(lines, 'line')} differ${differ === 1 ? 's' : ''}; the first one is of: ${who}.`,
  },
  conversation: {
    rewritten: 'The context was rewritten here. The agent now sees:',
    roles: { system: 'system', user: 'user', assistant: 'assistant', tool: 'tool' },
    turn: (n: number) => `agent · turn ${n}`,
    nothing: 'wrote nothing',
    gave: 'gave',
    image: (width: number, height: number) => `image of ${width} × ${height} pixels that the agent saw`,
    toolReward: (reward: number) => `tool ${signed(reward)}`,
    rewardStopped: (how: string) => `the reward function was ${how}`,
    environmentFailed: (problem: string) => `the environment failed: ${problem}`,
    ends: {
      answer: 'The agent gave an answer.',
      done: 'A tool ended the episode.',
      'max-turns': 'The limit of turns was reached without an answer.',
      'context-full': 'The context was full before an answer came.',
      'environment-failed': 'The environment failed; this rollout says nothing about the agent.',
    },
    otherEnd: (end: string) => `The rollout ended: ${end}.`,
    errors: {
      malformed: 'error: the call could not be read',
      'unknown-tool': 'error: there is no such tool',
      'invalid-arguments': 'error: the arguments do not fit the tool',
      'tool-error': 'error: the tool failed',
      killed: 'error: the environment was stopped',
      truncated: 'error: cut off by the token budget',
      'no-answer': 'error: neither a tool call nor an answer',
    },
    otherError: (error: string) => `error: ${error}`,
    stops: {
      fuel: 'stopped: it used up its fuel',
      depth: 'stopped: it recursed too deeply',
      memory: 'stopped: it took more memory than it may',
      stack: 'stopped: its stack was full',
      trap: 'stopped: it broke its engine',
    } satisfies Readonly<Record<NonNullable<StepView['toolCalls'][number]['killed']>, string>>,
  },
  curveTitle: (name: string) => `Success of ${name}`,
  replay: {
    pageTitle: (name: string) => `${name} – Agentlet`,
    made: (date: string, engine: string, seed: number) => `Trained on ${date} with engine ${engine}, seed ${seed}.`,
    open: 'Open it in Agentlet',
    curve: 'Success by iteration',
    step: 'iteration',
    unseen: 'unseen tasks',
    practice: 'practice',
    rollouts: 'Rollouts',
    noRollouts: 'No rollouts are in this file.',
    reward: 'reward',
    empty: 'No iteration is in this file.',
    play: 'Play',
    pause: 'Pause',
    agent: 'agent',
    tool: 'tool',
    picture: '(a picture)',
    turn: 'step of the episode',
  },
  /** Curves of several runs on one chart. */
  compared: {
    /** Of a value of the setting that is grouped by. */
    alike: (value: string, runs: number) => `${value}, ${plural(runs, 'run')}`,
    seeds: (name: string, count: number) => `${name}, ${count} seeds`,
    parallel: {
      line: (name: string, settings: readonly string[], metric: string, result: string) =>
        `${name}: ${settings.join(', ')} → ${metric} ${result}`,
      equal: (runs: number, result: string) => `${runs} runs from setting to setting. All end at ${result}.`,
      summary: (runs: number, best: string) => `${runs} runs from setting to setting. The greatest end is of ${best}.`,
    },
    axes: {
      step: 'iteration',
      tokens: 'tokens',
      time: 'seconds',
      choices: { step: 'Iterations', tokens: 'Sampled tokens', time: 'Time' },
      atStep: (iteration: number) => `iteration ${iteration}`,
      atTokens: (tokens: string) => `${tokens} tokens`,
      atTime: (seconds: string) => `${seconds} s`,
    },
  },
} as const;
