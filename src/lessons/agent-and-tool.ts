/** Lesson 1. */
import type { Lesson } from './lesson';

export const agentAndTool = {
  title: 'Agent and tool',
  about: 'A small language model that may ask a calculator. When does it ask, and when does it guess?',
  sections: [
    {
      title: 'A model that may ask',
      paragraphs: [
        'A *language model* writes one piece of text after another. Such a piece is a *token*; for the ' +
          'calculator here it is a single character. The model looks at everything written so far, gives each ' +
          'possible next token a probability, and draws one.',
        'An *agent* is such a model in a loop with something outside. It may write a *tool call*, such as ' +
          '`calc(37*4)`. Then the model waits, the tool runs, its result goes into the text, and the model ' +
          'continues. One round of this is a *turn*.',
      ],
    },
    {
      title: 'One task, before and after',
      paragraphs: [
        'The task is a sum with brackets. The calculator does one operation at a time, so the agent must call it ' +
          'twice and carry a result over. These are recorded answers of one agent, before it was trained by reward ' +
          'and after.',
      ],
      figure: {
        kind: 'before-after',
        preset: 'calculator',
      },
      after: [
        'Before, it often calls once and answers with what it has. It got that from its teacher: many of the ' +
          'examples that it first imitated stop one call too early, on purpose.',
        'Nobody wrote a rule that says “call twice”. Right answers were rewarded, and two calls are how right ' +
          'answers come about.',
      ],
    },
    {
      title: 'Imitate, then improve',
      paragraphs: [
        'Training has two parts. In the *warm start* the agent imitates examples, so that it knows what a call ' +
          'looks like. Then comes *reinforcement*: it tries tasks on its own, and what worked becomes more likely. ' +
          'These lessons are about the second part.',
      ],
    },
  ],
  prediction: {
    question:
      'The mini calculator has sums of one operation. Its agent often answers at once, in one turn. Now we train ' +
      'it for a few iterations and reward right answers only. How many turns will it take then?',
    guesses: ['Fewer: practice makes it quick', 'About as many', 'More'],
    figure: {
      kind: 'train',
      runs: [
        {
          label: 'Mini calculator',
          link: 'v=1&preset=calculator-mini&device=cpu&steps=6&evalTasks=8',
        },
      ],
      curve: 'turns',
    },
    answer:
      'The curve rises towards two turns: one for the call, one for the answer. Nothing rewards the call itself. ' +
      'But attempts that called were right more often, so calling became more likely together with everything ' +
      'else in them.',
  },
  checks: [
    {
      question: 'Who runs the tool?',
      choices: [
        {
          text: 'The model, inside its layers',
          why: 'The model only writes text. It is bad at multiplying; that is why it has a tool.',
        },
        {
          text: 'The program around the model',
          right: true,
          why: 'It reads the call in the text, runs the tool, and puts the result back into the text.',
        },
        {
          text: 'The person who asked',
          why: 'Nobody presses a button in between. The call and its result are part of the attempt.',
        },
      ],
    },
    {
      question: 'Why was the agent often wrong before reinforcement?',
      choices: [
        {
          text: 'It could not write a call',
          why: 'It could: imitation had taught it how a call looks. Look at the recorded answers again.',
        },
        {
          text: 'It had imitated examples that answer too early',
          right: true,
          why: 'Imitation copies habits, bad ones too.',
        },
        {
          text: 'The calculator made mistakes',
          why: 'The results of its calls are right. The answer came one call too soon.',
        },
      ],
    },
    {
      question: 'What made it call once more?',
      choices: [
        {
          text: 'A rule in the program',
          why: 'There is none. The program only runs the calls that the agent writes.',
        },
        {
          text: 'A reward for each call',
          why: 'The preset counts calls but pays nothing for them.',
        },
        {
          text: 'A reward for right answers',
          right: true,
          why: 'Attempts with all their calls were right more often, so they became more likely.',
        },
      ],
    },
  ],
  lab: {
    sentence:
      'The calculator with two operations. Press Train and compare the chart of turns with the chart of success.',
    link: 'v=1&preset=calculator',
  },
} as const satisfies Lesson;
