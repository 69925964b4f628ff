/** Lesson 2. */
import type { Lesson } from './lesson';

export const rolloutsAndReward = {
  title: 'Rollouts and reward',
  about: 'Try, score, change a little, try again: what one iteration of training does.',
  sections: [
    {
      title: 'One attempt is a rollout',
      paragraphs: [
        'A *rollout* is one attempt at one task, from the question to the answer, with all calls in between. The ' +
          'agent draws its tokens at random, by their probabilities. So two attempts at the same task differ. That ' +
          'is no flaw: without differences there would be nothing to choose from.',
        'When an attempt is over, the environment gives it a number, the *reward*. For a sum it is 1 if the ' +
          'answer is right, else 0.',
      ],
    },
    {
      title: 'One iteration',
      paragraphs: [
        'An *iteration* of training has three parts. The agent makes a batch of attempts. Each gets its reward. Then ' +
          'the weights change a little, so that well rewarded attempts become more likely and badly rewarded ones ' +
          'less likely. The next iteration begins with new attempts by the changed agent.',
        'Train the mini calculator for a few iterations. Below the curve you will see attempts at one task of the ' +
          'last step: what was answered, and what it earned.',
      ],
      figure: {
        kind: 'train',
        runs: [
          {
            label: 'Mini calculator',
            link: 'v=1&preset=calculator-mini&device=cpu&steps=6&evalTasks=8',
          },
        ],
        curve: 'success',
        attempts: true,
      },
      after: [
        'The curve is the share of attempts that were right. It is noisy, since each iteration has new tasks and new ' +
          'luck. Look at the trend, and do not trust a single point.',
      ],
    },
    {
      title: 'A number is all it gets',
      paragraphs: [
        'In reinforcement the agent never sees the right answer. It gets a number, and that number does not say ' +
          'which token earned it: all tokens of an attempt share the praise or the blame.',
        'How can this work? By counting. A good token turns up in good attempts more often than in bad ones. ' +
          'Over many attempts the praise adds up where it belongs, and the rest cancels out.',
      ],
    },
  ],
  prediction: {
    question:
      'Two slot machines. The better one pays often, but not always; the other pays seldom, but sometimes. The ' +
      'reward is what the machine paid. So a bad choice is sometimes rewarded and a good one is sometimes not. ' +
      'Will the agent find the better machine?',
    guesses: ['No, luck hides it', 'Yes, within some iterations', 'Only if somebody shows it'],
    figure: {
      kind: 'train',
      runs: [
        {
          label: 'Two slot machines',
          link: 'v=1&preset=bandit&device=cpu&steps=12&evalTasks=8&evalEvery=100',
        },
      ],
      curve: 'success',
    },
    answer:
      'The curve is the share of attempts at the better machine, whatever it paid. It rises: one pull says ' +
      'little, but an iteration has many, and luck cancels out. That is why an iteration is made of many attempts.',
  },
  checks: [
    {
      question: 'What does the agent learn from in reinforcement?',
      choices: [
        {
          text: 'The right answer',
          why: 'That would be imitation. In reinforcement nobody shows it.',
        },
        {
          text: 'A number for each attempt',
          right: true,
          why: 'And it must find out by itself what the number was for.',
        },
        {
          text: 'A mark at each wrong token',
          why: 'Nobody marks tokens. All tokens of an attempt share its number.',
        },
      ],
    },
    {
      question: 'Why does the agent draw its tokens at random?',
      choices: [
        {
          text: 'To entertain the user',
          why: 'It would be just as random with nobody watching.',
        },
        {
          text: 'So that attempts differ',
          right: true,
          why: 'Differences are what rewards can choose between.',
        },
        {
          text: 'Because the computer is not exact',
          why: 'It is exact: on the CPU a run with the same seed repeats bit for bit. The draw is random by design.',
        },
      ],
    },
    {
      question: 'The share of right attempts is lower than at the iteration before. What do you conclude?',
      choices: [
        {
          text: 'Training is broken',
          why: 'One point is not a trend. Wait for more of them.',
        },
        {
          text: 'Little: tasks and luck changed, too',
          right: true,
          why: 'Each iteration has other tasks. Only several points make a trend.',
        },
        {
          text: 'The agent has forgotten the tool',
          why: 'Perhaps, but one point cannot show it. Open some attempts and look.',
        },
      ],
    },
  ],
  lab: {
    sentence:
      'The slot machines with smaller odds, so that luck plays a larger part. Does it still find the better one? ' +
      'How many iterations does it take?',
    link: 'v=1&preset=bandit&opt.odds=60',
  },
} as const satisfies Lesson;
