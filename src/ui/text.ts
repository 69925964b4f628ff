/** Every sentence the page says, in one place and typed, so that a second language has one file to translate. */
import { formatSpan } from './format';

/** Where a saved run stands. */
interface Place {
  readonly iteration: number;
  readonly finished: boolean;
}

export const text = {
  promise: 'Train a tool-using agent, here in your browser',
  skip: 'Skip to the charts',
  framed: { sentence: 'Agentlet does not run inside other sites.', open: 'Open it in a tab of its own' },
  device: {
    checking: 'Looking for a GPU…',
    none: 'No WebGPU',
    software: 'software GPU, slow',
    local: 'nothing leaves this tab',
  },
  theme: { label: 'Theme', system: 'System theme', light: 'Light theme', dark: 'Dark theme' },
  shortcuts: {
    open: 'Keyboard shortcuts',
    title: 'Keyboard',
    enabled: 'Single-key shortcuts',
    hint: 'They rest while you type. Switch them off if a screen reader or voice control uses the same keys.',
    list: [
      ['Space', 'train or pause'],
      ['.', 'one iteration'],
      ['R', 'back to before iteration 1'],
      ['J K', 'next and previous rollout'],
      ['L', 'logarithmic axis of the focused chart'],
      ['0', 'fit the charts'],
      ['C', 'talk to the agent'],
      ['?', 'this list'],
    ] as const,
  },
  close: 'Close',
  run: {
    bar: 'Run',
    train: 'Train',
    pause: 'Pause',
    step: 'Step',
    reset: 'Reset',
    share: 'Share',
    seed: 'Seed',
    newSeed: 'New seed',
    download: 'Download checkpoint',
    progress: 'Progress of the run',
    unsaved: 'not saved yet',
    saved: (iteration: number) => (iteration === 0 ? 'warm start saved' : `saved at step ${iteration}`),
    runs: 'Saved runs',
  },
  intro: {
    watch: 'What to look at:',
    before: 'Before',
    after: 'After',
    atStep: (iteration: number) => `step ${iteration}`,
    recorded: 'from the recorded run',
    live: 'from your run',
    noAnswer: 'no answer',
    solved: 'right',
    failed: 'wrong',
    foreign: 'An environment from a link',
    foreignTask: 'Its tasks and tools are in code that somebody else wrote.',
    waiting: 'Once a run has both failed early and succeeded late, the two stand here side by side.',
  },
  shown: {
    recording: 'Recorded run',
    author: 'The author’s run',
    live: 'Your run',
    play: 'Play replay',
    replayAgain: 'Replay again',
    stop: 'Stop replay',
    back: 'Watch the recorded run',
    backToLive: 'Back to your run',
    none: 'There is no recorded run here yet. Press Train: the first curve is yours.',
    ghostRecorded: 'recorded run',
    ghostAuthor: 'author’s run',
    sampling: 'Being sampled now',
    warm: (first: number, last: number, step: number) =>
      `Warm-start loss: ${first.toFixed(2)} at first, ${last.toFixed(2)} after ${step} steps of imitation.`,
  },
  setup: {
    title: 'Setup',
    summary: (count: string) => `${count} parameters`,
    edited: 'edited',
    restore: 'Undo edit',
    restoreAll: 'Back to the preset',
    waits: 'Your edits apply to the next run: press Reset, then Train.',
    preset: 'Preset',
    groups: {
      environment: 'Environment',
      model: 'Model',
      algorithm: 'Algorithm',
      rollout: 'Rollouts',
      optimizer: 'Optimizer',
      rewards: 'Reward weights',
      warmStart: 'Warm start',
      more: 'Advanced',
    },
    size: 'Size',
    custom: 'custom',
    tools: 'Tools',
    source: 'Source of the environment',
    foreign: 'The code of this environment came with a link. It runs only in the sandbox; its source stands below.',
    parameters: (count: string, memory: string) => `${count} parameters, ${memory} of GPU memory`,
    fromScratch: 'From scratch',
    fromScratchHelp: 'Skip the demonstrations and start from random weights.',
    fromScratchWarning:
      'From random weights a random agent practically never solves a task, so every group scores 0 and GRPO has nothing to compare: expect a flat curve.',
    hot: 'This rate is hot: a small policy often forgets how to answer within its first iterations and the reward falls to nothing. Lower it if the curve dives.',
    range: (min: string, max: string) => `${min} to ${max}`,
    allowed: (range: string, unit: string) => `From ${range}${unit === '' ? '' : ` ${unit}`}.`,
    loading: 'Waiting for the trainer’s list of settings…',
  },
  chat: {
    title: 'Chat',
    label: 'Message the agent',
    hint: 'Enter sends, Esc clears.',
    untrained: 'There is no agent yet. Press Train, or Step for a single iteration; then ask it something.',
    preparing: 'The agent is being prepared. You can talk to it as soon as the curve moves.',
    noGpu: 'Talking to an agent needs WebGPU in this browser.',
    ready: (iteration: number) => `You talk to the agent as it is now, after step ${iteration}.`,
    send: 'Send',
    examples: 'Examples',
    you: 'You',
    agent: (iteration: number) => `Agent, step ${iteration}`,
    thinking: 'answering…',
    noAnswer: 'It ended without an answer.',
    error: 'error',
    forgotten: (count: number) => (count === 1 ? 'The oldest message was let go.' : `The ${count} oldest messages were let go.`),
  },
  saved: {
    title: 'Saved runs',
    where:
      'The latest four runs are kept in this browser, on this computer. A browser short of space may drop them: download what you want to keep.',
    none: 'No run is saved yet. A run saves itself while it trains.',
    place: (run: Place & { readonly config: { readonly iterations: number } }) => {
      if (run.finished) return `finished after ${run.config.iterations} steps`;
      return run.iteration === 0 ? 'in its warm start' : `step ${run.iteration} of ${run.config.iterations}`;
    },
    line: (seed: number, place: string, ago: string) => `Seed ${seed}, ${place}, saved ${ago}`,
    foreign: 'with code from a link',
    offer: (title: string, seed: number, place: string, ago: string) =>
      `Your run of ${title} with seed ${seed} can go on: ${place}, saved ${ago}.`,
    offerDiscarded: (title: string, seed: number, place: string, ago: string) =>
      `The browser had put this tab to sleep; your run of ${title} with seed ${seed} can go on: ${place}, saved ${ago}.`,
    resume: 'Resume',
    open: 'Open',
    remove: 'Delete',
    removeSure: 'Delete for good',
    keep: 'Keep it',
    here: 'This is the run on the page.',
    /** Names of buttons that stand once in every row. */
    named: (action: string, title: string, seed: number) => `${action}: ${title}, seed ${seed}`,
    pauseFirst: 'Pause the run on the page to resume another one; it stays saved.',
  },
  share: {
    title: 'Share this run',
    label: 'Link',
    copy: 'Copy link',
    copied: 'Copied.',
    copyFailed: 'This browser did not allow copying; the link is selected, so press Ctrl+C or ⌘C.',
    making: 'Making the link…',
    carries: 'It carries',
    carriesSetup: 'the settings that differ from the preset, and the seed',
    carriesCurve: 'the curve so far and a fingerprint of the first iterations, so that others can see whether their run is the same',
    carriesVersion: 'the engine version and the name of the GPU',
    not: 'It carries no weights, no rollouts and nothing about you. No server keeps it: the link itself is the run.',
    length: (length: string) => `${length} characters.`,
    fits: 'It fits in a chat message.',
    long: 'Too long for a Discord message; mail and most chats take it.',
    tooLong: 'Too long for many services; send the checkpoint file instead.',
    notReady: 'the trainer is not ready yet',
    failed: (reason: string) => `The link could not be made: ${reason}. Close this and try again.`,
  },
  results: {
    title: 'Experiments',
    summary: 'configurations compared over several seeds',
    loading: 'Loading the results…',
    none: 'No results of experiments ship with this page yet. This makes some:',
    problem: (reason: string) => `The results could not be shown: ${withStop(reason)}`,
    offline: 'a part of the page could not be loaded; is the connection gone?',
    tableOf: (title: string) => `Table: ${title}`,
    method: 'Method',
    success: 'Success',
    interval: '95 % interval',
    seeds: 'Each seed',
    warm: 'Warm start',
    sampled: 'Sampled',
    sampledRange: (first: string, last: string) => `${first} → ${last}`,
    outside: 'Out of distribution',
    turns: 'Turns',
    paper: 'Paper',
    nothing: '–',
    failed: 'failed',
    unset: 'unset',
    allRows: 'All rows',
    range: (low: string, high: string) => (low === high ? low : `${low.replace(' %', '')} to ${high}`),
    found: (source: string, finding: string) => `What the paper found (◇). ${source}: ${finding}`,
    how: (tasks: string) =>
      `Success is greedy, on ${tasks} held-out tasks. The bar is a bootstrap interval over seeds, the line their mean, a dot one seed. Turns are means of an episode. Sampled is what the rollouts of the first and of the last iteration reached.`,
    outsideIs: (what: string) => `Out of distribution: ${what}`,
    endedEarly: (title: string, seed: number, reason: string) => `${title}, seed ${seed}, ended early: ${withStop(reason)}`,
    made: (date: string, adapter: string, engine: string, commit: string) =>
      `Made on ${date}, on ${adapter}, with engine ${engine}, commit ${commit}, by`,
    changes: (preset: string) => `What each row changes in the preset ${preset}`,
  },
  author: {
    title: 'Someone sent you this run',
    result: (success: string, iterations: string) => `The author’s agent solved ${success} of its tasks after ${iterations} iterations.`,
    noCurve: 'The link carries a setup that has not been trained yet.',
    where: (adapter: string) => `Trained on ${adapter}`,
    engine: (version: string) => `engine ${version}`,
    again: 'Run it here',
    foreign:
      'This link brings its own environment code, written by whoever made it. It has not run. It runs only in the sandbox, without network or page, and only after you press Train.',
    code: 'The code',
    notices: 'About this link',
  },
  noGpu: {
    title: (browser: string) => `No WebGPU in ${browser}`,
    still: 'The recorded run and its rollouts work without it.',
    reason: 'The browser said:',
  },
  action: {
    again: 'Start the trainer again',
    withoutLink: 'Open the Lab without it',
    restorePreset: 'Back to the preset',
    ownSetup: 'Back to your setup',
    dismiss: 'Dismiss',
  },
  /** What stands on the button under a sentence about a fault. */
  remedy: {
    none: '',
    'start-over': 'Start over',
    resume: 'Resume',
    'try-again': 'Try again',
    download: 'Download checkpoint',
    'halve-batch': 'Halve the batch and start over',
    'halve-rate': 'Halve the rate and start over',
  },
  notice: {
    label: 'Notices',
    setupKept: 'Another setup was opened; your own edits are kept.',
    crash: (reason: string, saved: Place) => {
      const place = saved.iteration === 0 ? 'its warm start' : `step ${saved.iteration}`;
      const what = saved.finished ? 'the finished run was loaded again' : `the run goes on from ${place}`;
      return `The trainer stopped (${withoutStop(reason)}) and was started again; ${what}.`;
    },
    crashIdle: (reason: string) => `The trainer stopped (${withoutStop(reason)}) and was started again; nothing that is saved was lost.`,
    hidden: (awayMs: number, steps: number, savedAt: number | null) =>
      `This tab was hidden for ${formatSpan(awayMs)}, and browsers slow hidden tabs: the run made ${steps} step${steps === 1 ? '' : 's'} and is ${
        savedAt === null ? 'not saved yet' : savedAt === 0 ? 'saved in its warm start' : `saved at step ${savedAt}`
      }.`,
  },
  failure: {
    trainer: (reason: string) => `The trainer could not do this: ${withStop(reason)} What is on the page is safe.`,
    crash: (reason: string) => `The trainer stopped again and again: ${withStop(reason)} What was saved is safe.`,
    crashUnsaved: (reason: string) => `The trainer stopped before the run was first saved: ${withStop(reason)}`,
    nothingSaved: 'This run was never saved, so it can only start over.',
    silent: 'it gave no sign of life for 20 seconds',
    link: (reason: string) => `This link could not be opened: ${withStop(reason)}`,
    checkpoint: (reason: string) => `The checkpoint could not be made: ${withStop(reason)} The run goes on.`,
    setup: (reason: string) => `This setup cannot be trained: ${withStop(reason)}`,
    unknown: 'Training stopped, and the trainer gave no reason. Curves and rollouts so far are safe.',
  },
} as const;

function withoutStop(sentence: string): string {
  return sentence.trim().replace(/[.!]$/, '');
}

function withStop(sentence: string): string {
  return /[.!?]$/.test(sentence.trim()) ? sentence.trim() : `${sentence.trim()}.`;
}
