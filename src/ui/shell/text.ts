/** Every sentence the page says, in one place and typed, so that a second language has one file to translate. */
import { formatSpan } from './format';

/** Where a saved run stands. */
interface Place {
  readonly iteration: number;
  readonly finished: boolean;
}

/** Iterations that a finished run is given at a press. */
export const moreIterations = 20;

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
    hint: 'Shortcuts are off while you type. Switch them off if a screen reader uses the same keys.',
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
    obstacle: (reason: string) => `Training cannot begin. ${withStop(reason)}`,
    trainAgain: 'Train again',
    more: `+${moreIterations} steps`,
    moreHint: `Goes on with this run for ${moreIterations} more steps. The learning rate stays where it ended.`,
    waitsFor: {
      gpu: (queued: boolean) => (queued ? 'Looking for a GPU… Training begins then' : 'Looking for a GPU…'),
      stop: (queued: boolean) => (queued ? 'Stopping… The next run begins then' : 'Stopping…'),
    },
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
    twoTasks: 'two different tasks',
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
    none: 'No recording of this task yet. Press Train.',
    ghostRecorded: 'recorded run',
    ghostAuthor: 'author’s run',
    ghostAuthorPractice: 'author’s run, practice',
    sampling: 'Being sampled now',
    copied: (first: number, last: number, done: number) =>
      `Copying examples: loss ${first.toFixed(2)} at first, ${last.toFixed(2)} after ${done} batches.`,
    copiedShort: (first: number, last: number) => `examples: loss ${first.toFixed(2)} → ${last.toFixed(2)}`,
    phases: {
      label: 'Phases of this run',
      prepare: 'Prepare',
      copy: 'Copy examples',
      try: 'Learn by trying',
      recorded: 'already done: recorded start',
      none: 'left out: from scratch',
    },
    curvesAfter: (when: string | null) =>
      when === null
        ? 'Your curves begin with the first point. How long that takes here is not known yet.'
        : `Your curves begin with the first point: ${when.replace('first point ', '')}.`,
  },
  setup: {
    title: 'Setup',
    summary: (count: string) => `${count} parameters`,
    edited: 'edited',
    restore: 'Undo edit',
    restoreAll: 'Back to the preset',
    waits: 'This run keeps its old settings. Press Reset, then Train, to use the new ones.',
    preset: 'Preset',
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
      kl: 'KL to the starting weights',
      critic: 'Critic',
      shaping: 'Process rewards and penalties',
      filter: 'Rollout filter',
      mistakes: 'Mistakes, for teaching',
    },
    sectionNotes: {
      more: '',
      kl: 'Starting weights are those after the warm start. These settings need a KL coefficient above 0.',
      critic: 'Only algorithms with a critic read these: ppo, step-ppo and bi-level-gae.',
      shaping: 'Changes to rewards before advantages are computed.',
      filter: 'Which attempts the agent learns from.',
      mistakes: 'Each is an error that a published trainer once made. Switch one on to see what it costs.',
    },
    mistaken: (titles: string) => `Wrong on purpose: ${titles}. The next run learns less, or nothing.`,
    size: 'Size',
    custom: 'custom',
    tools: 'Tools',
    source: 'Source of the environment',
    invisible: 'This code contains invisible characters. They are marked below.',
    foreign: 'This environment is not built in. Its code runs only in the sandbox; its source stands below.',
    parameters: (count: string, memory: string) => `${count} parameters, ${memory} of GPU memory`,
    trainStart: 'Train the warm start here',
    trainStartHelp:
      'On: the agent copies examples in this tab first. Off: it starts from recorded weights that were made the same way.',
    startRecorded: 'Off: the agent starts from weights that copied examples before.',
    startTrained: 'The agent copies examples here first.',
    startUnrecorded: 'No start is recorded for these settings, so the agent copies examples here first.',
    startCost: (duration: string | null) =>
      duration === null
        ? 'How long copying them takes here is not known yet.'
        : `Copying them takes about ${duration} here.`,
    fromScratch: 'From scratch',
    fromScratchHelp: 'Skip the demonstrations and start from random weights.',
    fromScratchWarning:
      'A random agent almost never solves a task. All attempts then score 0, and the curve stays flat.',
    hot: 'This learning rate is high. A small agent may forget how to answer. Lower the rate if the curve dives.',
    range: (min: string, max: string) => `${min} to ${max}`,
    allowed: (range: string, unit: string) => `From ${range}${unit === '' ? '' : ` ${unit}`}.`,
    loading: 'Waiting for the trainer’s list of settings…',
  },
  chat: {
    title: 'Chat',
    label: 'Message the agent',
    hint: 'Enter sends, Esc clears.',
    untrained: 'Train first, then talk to your agent here.',
    preparing: 'The agent is being prepared. You can talk to it once the curve moves.',
    noGpu: 'Talking to an agent needs WebGPU in this browser.',
    ready: (iteration: number) => `You talk to the agent as it is now, after step ${iteration}.`,
    send: 'Send',
    examples: 'Examples',
    you: 'You',
    agent: (iteration: number) => `Agent, step ${iteration}`,
    thinking: 'answering…',
    noAnswer: 'The agent used up its turns without answering.',
    error: 'error',
    forgotten: (count: number) =>
      count === 1 ? 'The oldest message was removed.' : `The ${count} oldest messages were removed.`,
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
    elsewhere: (title: string) =>
      `Another tab of this browser is training. Your run of ${title} can go on once that tab has ended.`,
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
    carriesCurve:
      'the curve so far and a fingerprint of the first iterations, so that others can see whether their run is the same',
    carriesVersion: 'the engine version and the name of the GPU',
    not: 'It carries no weights, no rollouts and nothing about you. No server keeps it: the link itself is the run.',
    length: (length: string) => `${length} characters.`,
    fits: 'It fits in a chat message.',
    long: 'Too long for a Discord message; mail and most chats take it.',
    tooLong: 'Too long for many services; send the checkpoint file instead.',
    notReady: 'the trainer is not ready yet',
    failed: (reason: string) => `The link could not be made: ${reason}. Close this and try again.`,
  },
  health: {
    title: 'Health',
    empty: 'appears after the first step',
    list: 'Diagnostics',
    how: 'Latest value and trend. Green: healthy range. Watch: just left the range. Alarm: out of range for several steps.',
    states: {
      ok: 'in range',
      solved: 'expected: solved',
      unreached: 'never in range so far',
      watch: 'watch',
      alarm: 'alarm',
    },
    allOk: (ok: number, count: number) => `${ok} of ${count} checks OK`,
    named: (state: string, titles: string) => `${state}: ${titles}`,
    healthy: (range: string) => `healthy: ${range}`,
    atLeast: (low: string) => `at least ${low}`,
    range: (low: string, high: string) => `${low} to ${high}`,
    none: 'none',
    caught: 'caught',
    once: (value: string, iteration: number) => `${value} at iteration ${iteration}`,
    trend: (from: string, to: string, count: number) => `from ${from} to ${to} over ${count} iterations`,
    unmeasured: 'not measured yet',
    absent: (title: string, why: string) => `${title}: ${why}.`,
    noCritic: 'not measured, since this algorithm has no critic',
    sameReturns: 'not measured yet, since returns have not differed',
    sameTasks: 'not measured, since it takes two tasks with different prompts',
    partsOf: 'Gradient norm of each part',
    parts: {
      embedding: 'embedding',
      attention: 'attention',
      mlp: 'MLP',
      norms: 'norms',
      head: 'head',
      critic: 'critic',
    },
  },
  estimators: {
    title: 'Compare estimators',
    summary: 'how every algorithm would credit this group',
    loading: 'Comparing…',
    problem: (reason: string) => `The estimators could not be compared: ${withStop(reason)}`,
    again: 'Try again',
    offline: 'a part of the page could not be loaded; is the connection gone?',
    notReady: 'the trainer is not ready yet',
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
    seedRange: 'Range of seeds',
    seeds: 'Each seed',
    warm: 'Warm start',
    sampled: 'Practice',
    sampledRange: (first: string, last: string) => `${first} → ${last}`,
    outside: 'Out of distribution',
    calls: 'Solved with 0 / 1 / 2 … tool calls',
    outsideCalls: 'Out of distribution with 0 / 1 / 2 … tool calls',
    callsAre: 'Solved tasks are counted by the tool calls that the agent made without an error, all seeds together.',
    turns: 'Turns',
    paper: 'Paper',
    nothing: '–',
    failed: 'failed',
    unset: 'unset',
    allRows: 'All rows',
    range: (low: string, high: string) => (low === high ? low : `${low.replace(' %', '')} to ${high}`),
    found: (source: string, finding: string) => `What the paper found (◇). ${source}: ${finding}`,
    how: (tasks: string) =>
      `Success is on ${tasks} unseen tasks, taking the likeliest token each time. The bar is the column’s interval or range, the line the mean, a dot one seed. Turns are means of an episode. Practice is the success of the rollouts of the first and of the last iteration.`,
    outsideIs: (what: string) => `Out of distribution: ${what}`,
    endedEarly: (title: string, seed: number, reason: string) =>
      `${title}, seed ${seed}, ended early: ${withStop(reason)}`,
    made: (date: string, adapter: string, engine: string, commit: string) =>
      `Made on ${date}, on ${adapter}, with engine ${engine}, commit ${commit}, by`,
    changes: (preset: string) => `What each row changes in the preset ${preset}`,
  },
  /** What the address bar brought. */
  address: {
    unknown: 'This address names no page of Agentlet. This is the Lab.',
    unreadable: (problem: string) => `This link cannot be opened. ${withStop(problem)}`,
    openStart: 'Open the calculator',
    own: (run: Place) =>
      `This link is of a run of yours, which this browser has saved${run.finished ? '' : run.iteration === 0 ? ' in its warm start' : ` at step ${run.iteration}`}.`,
  },
  author: {
    title: 'Someone sent you this run',
    setupTitle: 'Someone sent you this setup',
    codeTitle: 'This address brings its own environment',
    addressTitle: 'This address was not followed to the letter',
    result: (success: string, iterations: string) =>
      `The author’s agent solved ${success} of unseen tasks at step ${iterations}.`,
    practiceResult: (success: string, iterations: string) =>
      `The author’s agent solved ${success} of its practice attempts at step ${iterations}.`,
    noCurve: 'This link contains settings only, no results.',
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
    undo: 'Undo',
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
    cleared: ({ title, iteration }: Place & { readonly title: string }) =>
      `Run cleared: ${title}, ${iteration === 0 ? 'warm start' : `step ${iteration}`}. It is saved.`,
    setupKept: 'Another setup was opened; your own edits are kept.',
    crash: (reason: string, saved: Place) => {
      const place = saved.iteration === 0 ? 'its warm start' : `step ${saved.iteration}`;
      const what = saved.finished ? 'the finished run was loaded again' : `the run goes on from ${place}`;
      return `The trainer stopped (${withoutStop(reason)}) and was started again; ${what}.`;
    },
    crashIdle: (reason: string) =>
      `The trainer stopped (${withoutStop(reason)}) and was started again; nothing that is saved was lost.`,
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
