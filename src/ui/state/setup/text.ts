/** Sentences of the setup form, and about environments that are not built in. */
import { formatKibibytes } from '../../../lib/format';

export const text = {
  title: 'Setup',
  summary: (count: string) => `${count} parameters`,
  edited: 'edited',
  restore: 'Undo edit',
  restoreAll: 'Back to the preset',
  waits: 'This run keeps its old settings. Press Reset, then Train, to use the new ones.',
  preset: 'Preset',
  all: 'All settings',
  pointAt: 'Point at a setting to read what it does.',
  newSeed: 'New seed',
  algorithmKinds: {
    group: 'Compared within a group',
    return: 'REINFORCE family',
    critic: 'With a critic',
  },
  groups: {
    environment: 'Environment',
    model: 'Model',
    algorithm: 'Algorithm',
    rollout: 'Rollouts',
    optimizer: 'Optimizer',
    rewards: 'Reward weights',
    warmStart: 'Warm start',
  },
  sections: {
    more: 'Advanced',
    kl: 'KL to the reference policy',
    critic: 'Critic',
    shaping: 'Process rewards and penalties',
    filter: 'Rollout filter',
    mistakes: 'Mistakes, for teaching',
  },
  sectionNotes: {
    more: '',
    kl:
      'The reference policy is the agent after the warm start, or a pretrained model without its adapter. ' +
      'These settings need a KL coefficient above 0.',
    critic: 'Only algorithms with a critic read these.',
    shaping: 'Changes to rewards before advantages are computed.',
    filter: 'Which rollouts the agent learns from.',
    mistakes: 'Each is an error that a published trainer once made. Switch one on to see what it costs.',
  },
  mistaken: (titles: string) => `Wrong on purpose: ${titles}. The next run learns less, or nothing.`,
  size: 'Size',
  custom: 'custom',
  tools: 'Tools',
  source: 'Source of the environment',
  invisible: 'This code contains invisible characters. They are marked below.',
  foreign: 'This environment is not built in. Its code runs only in the sandbox; its source stands below.',
  parameters: (count: string, memory: string) => `${count} parameters, ${memory} of memory`,
  trainStart: 'Train the warm start here',
  trainStartHelp:
    'On: the agent copies examples in this tab first. Off: it starts from recorded weights, made in the same way.',
  startRecorded: 'Off: the agent starts from weights that copied examples before.',
  startTrained: 'The agent copies examples here first.',
  startUnrecorded: 'No start is recorded for these settings, so the agent copies examples here first.',
  startCost: (duration: string | null) =>
    duration === null
      ? 'How long copying them takes here is not known yet.'
      : `Copying them takes about ${duration} here.`,
  fromScratch: 'From scratch',
  fromScratchHelp: 'Skip the demonstrations, and start from random weights or from the pretrained model as it is.',
  fromScratchWarning: 'A random agent almost never solves a task. All rollouts then score 0, and the curve stays flat.',
  /** What is trained. */
  model: {
    kind: 'Kind of model',
    own: 'Small transformer, from nothing',
    pretrained: 'Pretrained model, from your disk',
    about:
      'The folder of a Llama, Qwen2 or Qwen3 as Hugging Face lays it out: config.json, tokenizer.json, a chat ' +
      'template and safetensors. Its files stay on this machine; an adapter is trained.',
    choose: 'Choose the folder',
    chooseAnother: 'Choose another folder',
    drop: 'or drop it on the page',
    notFolder: 'That is no folder: drop the folder that holds config.json and the other files of the model.',
    tooMany: (most: number) => `That folder has more than ${most} files: choose the folder of the model itself.`,
    reading: (share: string) => `Reading its files: ${share}`,
    progress: 'Files read',
    facts: {
      name: 'Model',
      architecture: 'Architecture',
      parameters: 'Parameters',
      bytes: 'Weights',
      context: 'Context',
      licence: 'Licence',
      digest: 'SHA-256',
    },
    tokens: (count: string) => `${count} tokens`,
    noLicence: 'not named in its README.md',
    missing: 'This run needs a pretrained model',
  },
  hot: 'This learning rate is high. A small agent may forget how to answer. Lower the rate if the curve dives.',
  range: (min: string, max: string) => `${min} to ${max}`,
  allowed: (range: string, unit: string) => `From ${range}${unit === '' ? '' : ` ${unit}`}.`,
  loading: 'Waiting for the trainer’s list of settings…',
  offline: 'The settings could not be loaded. Is the connection gone?',
  /** Rows of data that tasks are made from. */
  rows: {
    title: 'This run needs a file',
    file: 'Open the file of rows',
    drop: 'You can also drop it anywhere on the page.',
    label: 'Rows of data (JSON lines or CSV)',
    opened: (name: string, bytes: number) => `${name}, ${formatKibibytes(bytes)} KiB`,
    inSetup: 'The rows of the setup',
    remove: 'Remove the rows',
    notText: (name: string) => `${name} is not a text file. Choose a file of JSON lines or CSV.`,
    kept: 'Rows are not kept with the code. A run keeps its own.',
  },
  /** Environments that are not built in. */
  environment: {
    origin: {
      own: (title: string) => (title === '' ? 'Your own environment' : `Your own: ${title}`),
      link: (title: string) => (title === '' ? 'From a link' : `From a link: ${title}`),
      saved: (title: string) => (title === '' ? 'From a saved run' : `From a saved run: ${title}`),
    },
    unknown: 'The page knows its tasks and tools once its code has run.',
    undescribed: 'What it means is known once the code has run.',
    open: 'Your own environment…',
    title: 'Your own environment',
    loaded: (title: string) => `The module can be loaded: ${title}.`,
    empty: 'The module is empty. Insert a template, or open a file.',
    notReady: 'The trainer is not ready yet. Try again in a moment.',
  },
} as const;
