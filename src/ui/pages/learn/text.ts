/** Sentences around the lessons: of their page and of the teachers'. */
import type { Figure } from '../../../lessons/lesson';

export const text = {
  title: 'Learn',
  about:
    'How do you teach a small agent to use a tool? Each lesson takes about seven minutes. The figures are live: the ' +
    'engine of the Lab computes them while you read.',
  progress: (done: number, of: number) => `${done} of ${of} done`,
  forget: 'Forget my progress',
  done: 'done',
  minutes: 'about 7 minutes',
  teachers: 'For teachers',
  teachersAbout: 'A class hour on one page, to print.',
  lesson: (number: number, of: number) => `Lesson ${number} of ${of}`,
  all: 'All lessons',
  present: { label: 'Present', hint: 'Large type. The arrow keys go from section to section.' },
  prediction: {
    title: 'Guess, then see',
    guess: 'What do you think?',
    yours: (guess: string) => `You said: ${guess}.`,
    first: 'Choose first. Then the engine answers.',
  },
  checks: {
    title: 'Check yourself',
    question: (number: number) => `Question ${number}`,
    right: 'Right.',
    wrong: 'Not quite.',
    all: 'All right. This lesson is done.',
  },
  lab: { title: 'Go on in the Lab', open: 'Open this in the Lab' },
  next: (title: string) => `Next: ${title}`,
  previous: (title: string) => `Back: ${title}`,
  around: 'Other lessons',
  figure: {
    labels: {
      'before-after': 'A recorded task, before and after training',
      train: 'Runs trained here',
      advantages: 'Advantages of a group',
      tokens: 'Tokens of an attempt',
      clip: 'The clipped loss',
      results: 'Results of an experiment',
      context: 'What the agent reads at each turn',
    } satisfies Record<Figure['kind'], string>,
    loading: 'Loading…',
    noRecording: 'The recorded run could not be loaded. Is the connection gone? Reload when it is back.',
    starting: 'The engine is starting…',
    problem: (reason: string) => `The engine could not compute this: ${reason}`,
  },
  advantages: {
    caption: (count: number, task: string) =>
      `${count} recorded attempts at ${task}, from the first iteration of the mini calculator’s run. The ` +
      `engine computes ` +
      'the last three columns.',
    attempt: 'Attempt',
    said: (answer: string) => `said ${answer}`,
    nothing: 'nothing',
    reward: 'Reward',
    slider: (number: number) => `Reward of attempt ${number}`,
    mean: 'Mean of the group',
    presets: 'Set the rewards',
    recorded: 'As recorded',
    right: 'All right',
    wrong: 'All wrong',
    one: 'One right',
  },
  beforeAfter: {
    before: 'Before training',
    after: (steps: number) => `After ${steps} iterations`,
    outcome: (success: boolean) => (success ? '✓ right' : '✗ wrong'),
    next: (task: number, of: number) => `Task ${task} of ${of} · next`,
  },
  train: {
    train: (runs: number, again: boolean) =>
      `${runs === 1 ? 'Train it here' : `Train ${runs === 2 ? 'both' : 'all'} here`}${again ? ' again' : ''}`,
    stop: 'Stop',
    busy: 'A run is training in the Lab. Pause it first, so that the two do not share the processor.',
    pause: 'Pause it',
    preparing: 'The engine prepares a run…',
    step: (step: number, of: number, label: string) => `${label}: iteration ${step} of ${of}`,
    axis: 'iteration',
    empty: 'Nothing is trained yet. A run takes some seconds on your processor and is kept nowhere.',
    curve: (label: string, from: string, to: string, steps: number) =>
      `${label}: from ${from} at the first iteration to ${to} at iteration ${steps}.`,
    attempts: (count: number, task: string) => `${count} attempts of the last iteration at ${task}:`,
    attempt: (answer: string) => `“${answer}”`,
    reward: (reward: string) => `reward ${reward}`,
  },
  practice: {
    replaced: 'Another figure was started.',
    stopped: 'The run was stopped.',
    failed: 'The run ended before its last iteration.',
  },
  tokens: {
    empty: 'Press one of the two: the engine trains one iteration and shows what it trained on.',
    trained: (label: string, count: number) =>
      `${label}: the iteration trained on ${count} tokens in all. One attempt of it:`,
  },
  clip: {
    ratio: 'Ratio',
    advantage: 'Advantage',
    loss: 'Loss',
    axis: 'ratio of new to old probability',
    clipped: 'Clipped: the curve is flat here, so this token pushes no further.',
    free: 'Not clipped: the slope of the curve here is what pushes.',
    summary: (ratio: string, loss: string, state: string) => `At ratio ${ratio} the loss is ${loss}. ${state}`,
  },
  results: {
    row: 'Run',
    solved: 'Unseen tasks solved',
    turns: 'Turns',
    seeds: 'Seeds',
    source: (title: string, version: string, date: string) => `Measured: “${title}”, engine ${version}, ${date}.`,
    missing: 'The table could not be loaded. Is the connection gone? Reload when it is back.',
  },
  context: {
    turn: (turn: number, read: number, wrote: number) => `Turn ${turn}: read ${read} tokens, wrote ${wrote}`,
    caption: (task: string, limit: number) =>
      `A recorded attempt at “${task}”. A whole bar is ${limit} tokens: more this model cannot see.`,
  },
  /** A class hour. */
  classHour: {
    title: 'For teachers',
    about: 'A class hour about agents that learn to use a tool, on one page. It needs no account and no installation.',
    print: 'Print this page',
    needs: {
      title: 'What you need',
      list: [
        'A projector, or a browser for every two students. A graphics card is not necessary.',
        'Open each page once before the class. The figures train on the processor and take some seconds.',
        'Present mode makes the type larger; the arrow keys go from section to section.',
        'A link for the class can show less: press Share in the Lab, and choose what the link hides.',
      ],
    },
    plan: {
      title: 'The hour',
      minutes: 'Minutes',
      open: 'Open',
      ask: 'Ask',
      wrong: 'What students get wrong',
    },
    parts: [
      {
        minutes: '0 – 12',
        title: 'Agent and tool',
        ask: 'Will it take more turns after training, or fewer? Let them vote by hand, then train.',
        wrong: 'They think that the model runs the tool, or that somebody wrote the rule to call it.',
      },
      {
        minutes: '12 – 20',
        title: 'Rollouts and reward',
        ask: 'Can an agent learn from a machine that pays by chance? Why does it need many attempts?',
        wrong: 'They think that the agent is shown the right answer. And they read a trend into a single point.',
      },
      {
        minutes: '20 – 30',
        title: 'Advantages and groups',
        ask: 'In pairs: set the rewards so that exactly one attempt is encouraged. Then so that none is.',
        wrong: 'They think that a right answer always helps. If all are right, nothing is learnt.',
      },
      {
        minutes: '30 – 40',
        title: 'Reward hacking and context',
        ask: 'What will it learn with the penalty? Collect guesses before you train. Where does this happen to people?',
        wrong: 'They blame the algorithm. It did exactly what the reward said.',
      },
      {
        minutes: '40 – 45',
        title: 'All lessons',
        ask: 'What would you reward? What would a lazy agent make of it?',
        wrong: 'They mix up reward (what trains) and success (what you want).',
      },
    ],
    words: {
      title: 'Words that need care',
      list: [
        ['Iteration', 'one round of training: many attempts, then a small change of the weights.'],
        ['Turn', 'one call or answer inside an attempt.'],
        ['Rollout', 'one attempt at one task. “Attempt” is a good word in class.'],
        ['Advantage', 'how much better than expected an attempt was. It is not the reward.'],
      ],
    },
    more: {
      title: 'At home',
      list: [
        'Lessons 4 and 5, for those who want to know how it works inside.',
        'Each lesson ends with a link into the Lab. A run there can be shared as a link: the other person’s ' +
          'browser repeats it.',
      ],
    },
  },
} as const;
