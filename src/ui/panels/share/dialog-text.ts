/** Sentences of the dialog that makes a link. */
import { stepsInWords } from '../../../lib/sentences';

export const text = {
  title: 'Share this run',
  label: 'Link',
  copy: 'Copy link',
  copied: 'Copied.',
  copyFailed: 'This browser did not allow copying; the link is selected, so press Ctrl+C or ⌘C.',
  making: 'Making the link…',
  forClass: 'For a class: hide parts of the Lab',
  hide: 'Whoever opens the link does not see',
  carries: 'It carries',
  carriesSetup: 'the settings that differ from the preset, with rounds that teach, and the seed',
  carriesCurve:
    'the curve so far and a fingerprint of the first iterations, so that others can see whether their run is the same',
  changed: (steps: readonly number[]) =>
    `no curve: the setup of this run changed after ${stepsInWords(steps)}, so its curve does not come from its ` +
    'last settings alone. Whoever opens the link trains with those from the first iteration',
  carriesVersion: 'the engine version and the name of the GPU, or that it was the CPU',
  not: 'It carries no weights, no rollouts and nothing about you. No server keeps it: the link itself is the run.',
  length: (length: string) => `${length} characters.`,
  fits: 'It fits in a chat message.',
  long: 'Too long for a Discord message; mail and most chats take it.',
  tooLong: 'Too long for many services; send the checkpoint file instead.',
  failed: (reason: string) => `The link could not be made: ${reason}. Close this and try again.`,
  /** Parts of the Lab that a link can hide. */
  parts: {
    intro: 'the first words and answers',
    setup: 'the setup',
    curves: 'the curves',
    rollouts: 'the list of rollouts',
    reader: 'the reader of rollouts',
    chat: 'the chat',
    health: 'the health',
    results: 'the results of experiments',
  },
} as const;
