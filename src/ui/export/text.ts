/** Sentences of exported files, and of the menu that makes them. */
import { stepsInWords, withStop } from '../shell/sentences';

export const text = {
  menuOf: (name: string) => `Export: ${name}`,
  loading: 'One moment…',
  failed: (reason: string) => `The file could not be made: ${withStop(reason)}`,
  unknown: 'unknown',
  noCurve: 'There is no step to export yet.',
  kinds: {
    html: { name: 'Replay', about: 'one HTML file with curve and attempts; opens without a network' },
    card: { name: 'Model card', about: 'Markdown for Hugging Face; its first lines say how to make the run again' },
    json: { name: 'JSON', about: 'setup and metrics' },
    csv: { name: 'CSV', about: 'metrics, a line a step' },
    jsonl: { name: 'Rollouts', about: 'JSON lines: tokens, masks, log-probabilities, advantages' },
    svg: { name: 'SVG', about: 'picture of the success curve' },
    png: { name: 'PNG', about: 'the same picture in pixels' },
    safetensors: { name: 'Weights', about: 'safetensors, with what is needed to go on' },
  },
  curve: { unseen: 'Unseen tasks', practice: 'Practice', step: 'step' },
  curveTitle: (name: string) => `Success of ${name}`,
  card: {
    title: (name: string, world: string) => `${name}: ${world}`,
    metric: 'Success on unseen tasks, greedy',
    reproduce: (link: string) => `Make this run again: open <${link}> and press Train.`,
    changed: (link: string, steps: readonly number[]) =>
      `The reward of this run changed after ${stepsInWords(steps)}, so its setup alone does not make it again. ` +
      `Setup with the last reward: <${link}>`,
    made: (engine: string, seed: number, adapter: string | null) =>
      `Engine ${engine}, seed ${seed}${adapter === null ? '' : `, trained on ${adapter}`}.`,
    same: ' The same engine, setup, seed and device give the same bits; on the CPU every machine does.',
    results: 'Results',
    steps: (done: number, total: number) => `${done} of ${total} steps.`,
    validated: (share: string, tasks: number) =>
      `Success on ${tasks} unseen tasks: ${share}, each token the likeliest.`,
    notValidated: 'It was not validated on unseen tasks.',
    practised: (share: string) => `Success of the attempts of its last step: ${share}.`,
    setup: 'Setup',
    setting: 'Setting',
    value: 'Value',
    model: 'Model',
    shape: (layers: number, width: number, heads: number, context: number) =>
      `transformer, ${layers} layers, width ${width}, ${heads} heads, context of ${context} tokens`,
    algorithm: 'Algorithm',
    batch: 'Attempts of a step',
    groups: (tasks: number, group: number) => `${tasks} tasks, ${group} attempts each`,
    rate: 'Learning rate',
    fingerprint: (digest: string) => `Fingerprint of its first steps: \`${digest}\`.`,
    limits: 'The agent knows the tasks of its world and nothing else: it is a small model for study.',
  },
  replay: {
    pageTitle: (name: string) => `${name} – Agentlet`,
    made: (date: string, engine: string, seed: number) => `Trained on ${date} with engine ${engine}, seed ${seed}.`,
    open: 'Open it in Agentlet',
    curve: 'Success by step',
    step: 'step',
    unseen: 'unseen tasks',
    practice: 'practice',
    attempts: 'Attempts',
    noAttempts: 'No attempts are in this file.',
    reward: 'reward',
    empty: 'No step is in this file.',
    play: 'Play',
    pause: 'Pause',
    agent: 'agent',
    tool: 'tool',
    picture: '(a picture)',
  },
} as const;
