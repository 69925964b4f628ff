/** Lesson 5. */
import type { Lesson } from './lesson';

export const ppoAndGrpo = {
  title: 'PPO, GRPO, and when they break',
  about: 'Why not one big leap? Critics, ratios, clips, and a run that collapses while you watch.',
  sections: [
    {
      title: 'Two ways to know what to expect',
      paragraphs: [
        'GRPO compares an attempt with its group. *PPO* trains a second estimate instead, the *critic*: it reads ' +
          'the text so far and says which reward to expect. The advantage of a token is how much better things ' +
          'went than the critic thought. So PPO can tell a good call from a bad answer within one attempt, but ' +
          'only as well as its critic can, and a critic has to be learnt first.',
        'Is one way better? Here is a measurement on questions that take one to three searches. Each algorithm ' +
          'has a learning rate that was chosen on another seed.',
      ],
      figure: {
        kind: 'results',
        table: 'methods',
        rows: ['warm', 'grpo', 'rloo', 'reinforce', 'ppo'],
      },
      after: [
        'GRPO and RLOO learn the task on every seed. REINFORCE stops at about 70 % on two seeds of five, PPO on ' +
          'one, and all ranges overlap. Seed by seed PPO rises later than GRPO each time: its critic has to be ' +
          'learnt first, and its learning rate is lower. Look at the ranges before you look at the means.',
      ],
    },
    {
      title: 'The ratio and the clip',
      paragraphs: [
        'Attempts are expensive, so one would like to learn from a batch more than once. But after the first ' +
          'update the agent is no longer the one that made the attempts. The *ratio* says how far it has moved at ' +
          'a token: its new probability divided by the old one.',
        'The *clip* is a fence. Once a token has become likely enough, its loss is flat, and it pushes no ' +
          'further. Move the ratio and find the bend. Then make the advantage negative: the bend changes sides.',
      ],
      figure: {
        kind: 'clip',
      },
      after: [
        'The clip does not hold the agent. It only takes away the reason to go further. One leap with too high a ' +
          'learning rate lands far behind the fence.',
      ],
    },
  ],
  prediction: {
    question: 'The preset trains the mini calculator with a learning rate of 0.0006. What happens with 0.01?',
    guesses: ['It learns faster', 'It learns as well, with more noise', 'It collapses'],
    figure: {
      kind: 'train',
      runs: [
        {
          label: '0.0006',
          link: 'v=1&preset=calculator-mini&device=cpu&steps=8&evalTasks=8&evalEvery=100',
        },
        {
          label: '0.01',
          link: 'v=1&preset=calculator-mini&device=cpu&steps=8&evalTasks=8&evalEvery=100&lr=0.01',
        },
      ],
      curve: 'success',
    },
    answer:
      'At first it shoots up: it looks like success. Then it falls to nothing and stays there. An agent that has ' +
      'forgotten how to write an answer gets 0 in every attempt. Then all rewards of a group are equal, all ' +
      'advantages are 0, and no way leads back.',
  },
  checks: [
    {
      question:
        'The advantage is positive. The ratio is far above the upper bound of the clip. What does this token do ' +
        'to the weights?',
      choices: [
        {
          text: 'It pushes the token further up',
          why: 'That is what the clip prevents: the loss is flat there.',
        },
        {
          text: 'Nothing',
          right: true,
          why: 'The loss is flat there, and what is flat pushes nothing.',
        },
        {
          text: 'It pulls the token back',
          why: 'A fence does not pull. Only other tokens, with other advantages, can.',
        },
      ],
    },
    {
      question: 'What does PPO need that GRPO does not?',
      choices: [
        {
          text: 'A critic',
          right: true,
          why: 'It says at each token which reward to expect.',
        },
        {
          text: 'Several attempts at each task',
          why: 'That is what GRPO needs, for its comparison.',
        },
        {
          text: 'A tool',
          why: 'Neither needs one. Both train whatever the agent writes.',
        },
      ],
    },
    {
      question: 'All attempts of a collapsed run get 0. Why does it not recover?',
      choices: [
        {
          text: 'Its learning rate is used up',
          why: 'The rate may still be high. There is nothing to multiply it with.',
        },
        {
          text: 'Equal rewards give advantages of 0',
          right: true,
          why: 'Where no attempt is better than another, nothing says where to go.',
        },
        {
          text: 'The clip holds it back',
          why: 'The clip acts on ratios. Here the advantages are 0 already.',
        },
      ],
    },
  ],
  lab: {
    sentence: 'The same task with PPO. Compare with GRPO, then try a higher learning rate and watch the health panel.',
    link: 'v=1&preset=calculator-mini&algo=ppo',
  },
} as const satisfies Lesson;
