/** Sentences of the page for teachers: a class hour. */

export const text = {
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
} as const;
