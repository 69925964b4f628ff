/** Sentences about runs: the run bar, the view bar, the chat, the offer to go on, notices and failures. */
import { formatCount, formatRough, formatSpan, plural } from '../../../lib/format';
import { formatPercent } from '../../../lib/amounts';
import { withStop, withoutStop } from '../../../lib/sentences';

/** Iterations that one press adds to a finished run. */
export const moreIterations = 20;

/** Progress of a saved run. */
interface RunProgress {
  readonly iteration: number;
  readonly finished: boolean;
}

export const text = {
  /** The state of the run in the run bar; it always holds `iteration k/n`. */
  status: {
    step: (done: number, total: number) => `iteration ${done}/${total}`,
    ready: 'Ready',
    preparing: 'Preparing',
    compiling: (done: number, total: number) => `Compiling ${done} of ${total} kernels`,
    copying: (done: number, total: number) => `Copying examples ${done} of ${total}`,
    validating: (done: number, total: number) => `Validating ${done} of ${total} tasks`,
    training: (step: string) => `RL ${step}`,
    pausing: 'Pausing',
    paused: 'Paused',
    finished: 'Finished',
    failed: 'Stopped',
    left: (duration: string) => `${duration} left`,
    rate: (steps: string) => `${steps} iterations/s`,
    firstPoint: {
      atLeast: (duration: string) => `first point in more than ${duration}`,
      about: (duration: string) => `first point in about ${duration}`,
      now: 'first point any moment',
    },
  },
  /** What a run is trained on, in the header. */
  device: {
    label: 'Train on',
    looking: 'Looking for a GPU…',
    choices: { auto: 'Automatic', gpu: 'GPU', cpu: 'CPU' },
    noGpu: 'GPU (no WebGPU here)',
    whyNoGpu: 'No GPU?',
    softwareGpu: 'GPU (software, slow)',
    cpu: 'Runs on your CPU',
    gpu: (adapter: string) => `Runs on your GPU · ${adapter}`,
    aboutCpu:
      'The agent is trained on the processor (CPU) of this device, which gives the same numbers on every machine.',
    aboutGpu: 'The agent is trained on the graphics processor (GPU) of this device, through WebGPU.',
    aboutSoftware: 'This WebGPU only imitates a graphics processor (GPU) on the processor (CPU): choose CPU instead.',
    aboutSpeed: (gflops: number) =>
      `At best it was measured at ${formatRough(gflops)} billion multiplications and additions a second (GFLOP/s).`,
    locked: 'Pause the run to choose another device for the next one.',
  },
  notReady: 'the trainer is not ready yet',
  /** Why a command cannot be given now. */
  why: {
    busy: 'A run is going.',
    notBusy: 'No run is going.',
    pausing: 'The run is pausing.',
    pauseFirst: 'Pause the run in the Lab first.',
    preparing: 'The run is being prepared.',
    finished: 'The run has ended.',
    notFinished: 'No run has ended.',
    noRun: 'There is no run.',
    otherRun: 'Only a run of this tab can go on with another reward: train one here.',
    rewardAtEnd: 'This run has ended: a changed reward needs a run that goes on.',
    notReady: 'The trainer is not ready yet.',
    otherPage: 'Open the Lab first.',
    hidden: 'The settings are hidden.',
  },
  run: {
    bar: 'Run',
    train: 'Train',
    obstacle: (reason: string) => `Training cannot begin. ${withStop(reason)}`,
    trainAgain: 'Train again',
    more: `+${moreIterations} iterations`,
    moreHint: `Goes on with this run for ${moreIterations} more iterations. The learning rate stays where it ended.`,
    waitsFor: {
      gpu: (queued: boolean) => (queued ? 'Looking for a GPU… Training begins then' : 'Looking for a GPU…'),
      stop: (queued: boolean) => (queued ? 'Stopping… The next run begins then' : 'Stopping…'),
      model: (queued: boolean) => (queued ? 'Opening the model… Training begins then' : 'Opening the model…'),
    },
    pause: 'Pause',
    step: 'Iterate',
    reset: 'Reset',
    share: 'Share',
    download: 'Download checkpoint',
    progress: 'Progress of the run',
    unsaved: 'not saved yet',
    saved: (iteration: number) => (iteration === 0 ? 'warm start saved' : `saved at iteration ${iteration}`),
    runs: 'All runs',
  },
  /** What a finished run came to, and what to do next. */
  finished: {
    rose: (from: number, to: number, iteration: number) =>
      `The agent now solves ${formatPercent(to)} of new tasks. After iteration ${iteration} it solved ` +
      `${formatPercent(from)}.`,
    fell: (from: number, to: number, iteration: number) =>
      `The agent got worse: it solves ${formatPercent(to)} of new tasks. ` +
      `After iteration ${iteration} it solved ${formatPercent(from)}.`,
    stayed: (share: number, iteration: number) =>
      `The agent solves ${formatPercent(share)} of new tasks, about as many as after iteration ${iteration}.`,
    alwaysGood: (share: number, iteration: number) =>
      `The agent solves ${formatPercent(share)} of new tasks, as it did after iteration ${iteration}.`,
    only: (share: number) => `The agent solves ${formatPercent(share)} of new tasks.`,
    ask: (question: string) => `Ask it: ${question}`,
    more: `${moreIterations} more iterations`,
    change: 'Change one thing',
    share: 'Share this run',
    kept: 'New tasks are those that it never practised.',
    changed: (name: string) => `Changed for the next run: ${name.toLowerCase()}. Press Train again to compare.`,
    ideas: {
      seed: { name: 'Another seed', about: 'Same setup, other random numbers: was it luck?' },
      rate: { name: 'Half the learning rate', about: 'Smaller updates: slower, but steadier?' },
      algorithm: (name: string) => ({
        name: `Algorithm ${name}`,
        about: 'Another rule for which rollouts count as good.',
      }),
      scratch: { name: 'No copied examples', about: 'Starts from random weights. Most worlds are then too hard.' },
    },
  },
  shown: {
    recording: 'Recorded run',
    author: 'The author’s run',
    live: 'Your run',
    play: 'Play replay',
    replayAgain: 'Replay again',
    stop: 'Stop replay',
    back: 'Watch the recorded run',
    parameters: (count: string) => `${count} parameters`,
    backToLive: 'Back to your run',
    none: 'No recording of this task yet. Press Train.',
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
  nothingToRead: 'A rollout is read here, as soon as there is one.',
  /** Where behaviour changed, under the curves. */
  turn: {
    words: (iteration: number, from: number, to: number) =>
      `Behaviour changed at iteration ${iteration}, at the coloured dashed line: practice then stayed above the ` +
      `middle of its rise, ${formatPercent(from)} to ${formatPercent(to)}.`,
    side: (iteration: number, success: boolean) =>
      `Iteration ${iteration}: a rollout that ${success ? 'solved its task' : 'failed'}`,
  },
  /** Titles of the parts behind tabs. */
  tabs: {
    label: 'Parts of the Lab',
    curves: 'Curve',
    rollouts: 'Rollouts',
    reader: 'Rollout',
    chat: 'Chat',
    health: 'Health',
  },
  chat: {
    title: 'Chat',
    label: 'Message the agent',
    hint: 'Enter sends, Esc clears.',
    rows: 'Ask about a table of yours (CSV)',
    about: (file: string) => `Questions are about ${file}.`,
    notAbout: 'Ask about the world’s tables',
    preparing: 'The agent is being prepared. You can talk to it once the curve moves.',
    ready: (iteration: number) => `You talk to the agent as it is now, after iteration ${iteration}.`,
    copied: (examples: number) =>
      `This agent copied ${formatCount(examples)} examples and has not practised yet. Train, and ask again.`,
    /** Why nobody answers, and what to do. */
    starting: 'The trainer is starting: you can ask as soon as it is ready.',
    failed: 'The run stopped, so its agent cannot be asked: resume it or press Reset, then ask.',
    unusable: (problem: string) => `Nobody answers for a setup that cannot be trained: ${withStop(problem)}`,
    notBuiltIn: 'This environment is not built in, so it has no recorded agent: press Train, then ask yours.',
    fromScratch: 'This setup starts from random weights, so there is no agent to ask yet: press Train first.',
    copiesHere: 'This setup copies its examples here, so there is no agent to ask yet: press Train first.',
    changed: (part: string) =>
      `This setup changes ${part}, so the recorded agent does not fit it: press Train first, or go back to the preset.`,
    /** Parts of a config that the recorded agent depends on. */
    parts: {
      environment: 'the environment',
      model: 'the model',
      text: 'the tokenizer or the tool-call format',
      context: 'the context rule',
      warmStart: 'the warm start',
      'optimizer.fresh': '“Fresh moments”',
    },
    settings: 'its settings',
    send: 'Send',
    examples: 'Examples',
    you: 'You',
    agent: (iteration: number) => `Agent, iteration ${iteration}`,
    beforePractice: (title: string) => `Agent before practice (${title})`,
    thinking: 'answering…',
    noAnswer: (byTool: boolean) =>
      byTool ? 'Its last call ended the episode.' : 'The agent used up its turns without answering.',
    stopped: 'This answer was stopped, because its agent is gone. Ask again.',
    willPractise: (task: string) => `The agent will practise tasks like ${task}`,
    practised: (task: string) => `It has only practised tasks like ${task}`,
    seen: (what: string) => `It sees: ${what}`,
    judged: (solved: boolean) => (solved ? 'Solved, says the environment.' : 'Not solved, says the environment.'),
    forgotten: (count: number) =>
      count === 1 ? 'The oldest message was removed.' : `The ${count} oldest messages were removed.`,
  },
  saved: {
    place: (run: RunProgress & { readonly config: { readonly iterations: number } }) => {
      if (run.finished) return `finished after ${run.config.iterations} iterations`;
      return run.iteration === 0 ? 'in its warm start' : `iteration ${run.iteration} of ${run.config.iterations}`;
    },
    offer: (title: string, seed: number, place: string, ago: string) =>
      `Your run of ${title} with seed ${seed} can go on: ${place}, saved ${ago}.`,
    offerFinished: (title: string, seed: number, place: string, ago: string) =>
      `Your run of ${title} with seed ${seed} is kept: ${place}, saved ${ago}.`,
    offerDiscarded: (title: string, seed: number, place: string, ago: string) =>
      `The browser discarded this tab. Your run of ${title} with seed ${seed} can go on: ${place}, saved ${ago}.`,
    elsewhere: (title: string) =>
      `Another tab of this browser is training. Your run of ${title} can go on once that tab has ended.`,
    resume: 'Resume',
    open: 'Open',
  },
  action: {
    again: 'Start the trainer again',
    restorePreset: 'Back to the preset',
    undo: 'Undo',
  },
  /** Labels of the button beside a fault. */
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
    cleared: ({ title, iteration }: RunProgress & { readonly title: string }) =>
      `Run cleared: ${title}, ${iteration === 0 ? 'warm start' : `iteration ${iteration}`}. It is saved.`,
    crash: (reason: string, saved: RunProgress) => {
      const place = saved.iteration === 0 ? 'its warm start' : `iteration ${saved.iteration}`;
      const what = saved.finished ? 'the finished run was loaded again' : `the run goes on from ${place}`;
      return `The trainer stopped (${withoutStop(reason)}) and was started again; ${what}.`;
    },
    crashIdle: (reason: string) =>
      `The trainer stopped (${withoutStop(reason)}) and was started again; nothing that is saved was lost.`,
    hidden: (awayMs: number, steps: number, savedAt: number | null) => {
      const saved = savedAt === 0 ? 'saved in its warm start' : `saved at iteration ${savedAt}`;
      const away = `This tab was hidden for ${formatSpan(awayMs)}, and browsers slow hidden tabs`;
      return (
        `${away}: the run made ${plural(steps, 'iteration')} and is ` + `${savedAt === null ? 'not saved yet' : saved}.`
      );
    },
  },
  failure: {
    trainer: (reason: string) => `The trainer could not do this: ${withStop(reason)} What is on the page is safe.`,
    crash: (reason: string) => `The trainer stopped again and again: ${withStop(reason)} What was saved is safe.`,
    crashUnsaved: (reason: string) => `The trainer stopped before the run was first saved: ${withStop(reason)}`,
    nothingSaved: 'This run was never saved, so it can only start over.',
    link: (reason: string) => `This link could not be opened: ${withStop(reason)}`,
    catalog: 'The list of worlds and settings could not be loaded. Check the connection, then try again.',
    checkpoint: (reason: string) => `The checkpoint could not be made: ${withStop(reason)} The run goes on.`,
    setup: (reason: string) => `This setup cannot be trained: ${withStop(reason)}`,
    unknown: 'Training stopped, and the trainer gave no reason. Curves and rollouts so far are safe.',
  },
} as const;
