/** Lesson 6. */
import type { Lesson } from './lesson';

const run = 'v=1&preset=calculator-mini&device=cpu&steps=8&evalTasks=8&evalEvery=100';
/** An over-long penalty that takes off what a right answer by the tool earns. */
const penalty = '&overlong=1&overlongFrom=4&overlongBuffer=4';

export const rewardHacking = {
  title: 'Reward hacking and context',
  about: 'You get what you reward. And an agent knows only what it may read.',
  sections: [
    {
      title: 'You get what you reward',
      paragraphs: [
        'An agent does not know what you meant. It gets a number. If the number can be had in a cheaper way than ' +
          'you thought of, the agent will find it. That is *reward hacking*. It takes no cunning: the cheap way ' +
          'turns up by chance, it pays, and it becomes more likely.',
        'How do you notice? The reward rises and the tasks are not solved. So keep two numbers apart: the reward ' +
          'that trains, and the success that you want. And read attempts, since a curve cannot tell you how the ' +
          'points were made.',
      ],
    },
    {
      title: 'What an agent may read',
      paragraphs: [
        'Before each turn the program around the agent decides what the agent sees: its *context*. Usually that ' +
          'is everything so far. But a model sees only so many tokens, and reading takes time. So a rule may leave ' +
          'things out: keep the last exchanges only, or a summary.',
      ],
      figure: {
        kind: 'context',
        preset: 'household',
      },
      after: [
        'What a rule leaves out is gone. An agent in a house that does not see which places it has searched may ' +
          'search them again. When an agent does something silly, read what it saw at that turn before you blame its ' +
          'reasoning.',
      ],
    },
  ],
  prediction: {
    question:
      'Long attempts cost time, so we subtract a penalty from those with more than four tokens. That looks ' +
      'harmless, since an answer has three. But a call and the answer after it have ten. What will the mini ' +
      'calculator learn?',
    guesses: ['To call with fewer tokens', 'To be right as before', 'Not to call at all'],
    figure: {
      kind: 'train',
      runs: [
        {
          label: 'Without the penalty',
          link: run,
        },
        {
          label: 'With the penalty',
          link: run + penalty,
        },
      ],
      curve: 'turns',
    },
    answer:
      'With the penalty the turns fall: it answers at once more and more often, without a call, and is wrong. A ' +
      'call and a right answer earn 1 and lose 1 again; a call and a wrong answer lose 1. A quick guess earns ' +
      'nothing and loses nothing. So not calling is the best this reward has to offer, and the agent learned what ' +
      'it was told. Do this sum before you train.',
  },
  checks: [
    {
      question: 'The reward rises while fewer tasks are solved. What is likely?',
      choices: [
        {
          text: 'Noise',
          why: 'Noise moves both up and down. Two steady trends in opposite directions are something else.',
        },
        {
          text: 'The agent found a way to the reward that you did not mean',
          right: true,
          why: 'Open some attempts: you will see which.',
        },
        {
          text: 'The tool is broken',
          why: 'Then success would fall, but the reward would not rise.',
        },
      ],
    },
    {
      question: 'What is the best way to find out what an agent really does?',
      choices: [
        {
          text: 'Watch the loss',
          why: 'The loss of reinforcement says little: it does not measure how good the agent is.',
        },
        {
          text: 'Read its attempts',
          right: true,
          why: 'Curves say how much, attempts say how.',
        },
        {
          text: 'Train longer',
          why: 'More of the same training strengthens the same habit.',
        },
      ],
    },
    {
      question: 'An agent does not use a name that it was given some turns ago. Where do you look first?',
      choices: [
        {
          text: 'At the learning rate',
          why: 'A rate that is too high spoils everything, not one name.',
        },
        {
          text: 'At what its prompt showed at that turn',
          right: true,
          why: 'What the context rule left out, the agent cannot know.',
        },
        {
          text: 'At the number of layers',
          why: 'Possible, but first make sure that the name was there to be read.',
        },
      ],
    },
  ],
  lab: {
    sentence: 'The penalty is on. Find the smallest change of the setup that brings the tool back.',
    link: `v=1&preset=calculator-mini${penalty}`,
  },
} as const satisfies Lesson;
