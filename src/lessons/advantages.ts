/** Lesson 3. */
import type { Lesson } from './lesson';

export const advantages = {
  title: 'Advantages and groups',
  about: 'How much better than expected was an attempt? One number decides what is learnt.',
  sections: [
    {
      title: 'A reward needs a yardstick',
      paragraphs: [
        'An attempt got reward 1. Was it good? If every other attempt at the task got 1 as well, it was ' +
          'ordinary. If the others got 0, it was the best of the day. So we compare, and what is left is the ' +
          '*advantage*: how much better than expected the attempt was.',
        'Training does one simple thing with it. Where the advantage is positive, it makes everything that the ' +
          'agent wrote in that attempt a little more likely. Where it is negative, a little less likely. The size ' +
          'of the advantage says how strongly.',
      ],
    },
    {
      title: 'The group is the yardstick',
      paragraphs: [
        'How do we know what to expect? *GRPO* has the cheapest answer: let the agent try the same task several ' +
          'times and compare each attempt with the mean of its *group*. Then divide by their standard deviation. ' +
          '*Dr. GRPO* leaves that division out. *RLOO* compares with the mean of the others, so that no attempt is ' +
          'compared with itself.',
        'Move a reward and watch all the others: one attempt that gets better makes the rest look worse.',
      ],
      figure: { kind: 'advantages' },
    },
    {
      title: 'When a group teaches nothing',
      paragraphs: [
        'Press *All right* above: every advantage is exactly 0. Press *All wrong*: 0 again. Where all attempts ' +
          'score the same there is nothing to compare, and the group teaches nothing. So a good task is neither ' +
          'too easy nor too hard for the agent as it is today. A task that was good at the first iteration may teach ' +
          'nothing at the last.',
        'This is why the Lab draws the share of groups without signal. When it comes near 100 %, the run has ' +
          'stopped learning, whatever the curve looks like.',
      ],
    },
  ],
  prediction: {
    question:
      'One attempt of eight is right. Then a second one becomes right, too. What happens to the GRPO advantage ' +
      'of the first?',
    guesses: ['It grows', 'It stays the same', 'It shrinks'],
    figure: { kind: 'advantages', rewards: [1, 0, 0, 0, 0, 0, 0, 0] },
    answer:
      'Move the second reward to 1 and read the first row. It shrinks: the mean has risen, so being right is ' +
      'less of a surprise. A rare success is pushed hardest. That is how an agent picks up a trick that it found ' +
      'only once.',
  },
  checks: [
    {
      question: 'All eight attempts at a task are right. What does GRPO learn from them?',
      choices: [
        {
          text: 'To do the same even more often',
          why:
            'Tempting, but each attempt equals the mean of its group, so each advantage is 0 and nothing is ' +
            'pushed.',
        },
        { text: 'Nothing', right: true, why: 'Each attempt equals the mean, so each advantage is exactly 0.' },
        {
          text: 'To try something else',
          why: 'Only a negative advantage makes an attempt less likely, and here none is below the mean.',
        },
      ],
    },
    {
      question: 'An attempt has reward 0.4. The mean of its group is 0.2. What becomes of it?',
      choices: [
        {
          text: 'Less likely: 0.4 is far from 1',
          why: 'The distance to a perfect score plays no part. The yardstick is the mean of the group.',
        },
        {
          text: 'More likely',
          right: true,
          why: 'It did better than the mean of its group, so its advantage is positive.',
        },
        {
          text: 'Nothing: it is not solved',
          why: 'The advantage knows nothing of “solved”. It only compares rewards.',
        },
      ],
    },
    {
      question: 'Why eight attempts at one task, and not one attempt at each of eight tasks?',
      choices: [
        {
          text: 'It is faster',
          why: 'Eight attempts cost about the same either way. The group is there for the comparison.',
        },
        {
          text: 'An easy task would look like a good attempt',
          right: true,
          why:
            'Across tasks, reward mixes two things: how hard the task was and how well it was done. Within a ' +
            'group the task is the same, so only the attempt is left.',
        },
        {
          text: 'The tool may answer differently',
          why: 'A calculator does not. What differs between attempts is what the agent chose to write.',
        },
      ],
    },
  ],
  lab: {
    sentence:
      'The same agent, trained by Dr. GRPO. Press Train. Then open a rollout below the curves and unfold ' +
      '“Compare estimators”: every algorithm’s opinion of the same group.',
    link: 'v=1&preset=calculator-mini&algo=dr-grpo',
  },
} as const satisfies Lesson;
