/** Lesson 4. */
import type { Lesson } from './lesson';

export const masks = {
  title: 'Masks',
  about: 'Part of the text was written by the tool. Should the agent be trained on that, too?',
  sections: [
    {
      title: 'Two authors',
      paragraphs: [
        'The text of an attempt has two authors. The question and the results come from the environment; the ' +
          'calls and the answer come from the agent. The model reads it all as one line of tokens.',
        'Training makes tokens more likely or less likely. For the agent’s own tokens that makes sense: it chose ' +
          'them. A result was not chosen by the agent. To make it more likely would teach the agent to *invent* ' +
          'results instead of asking for them.',
      ],
    },
    {
      title: 'Two masks',
      paragraphs: [
        'So each token carries a switch. The *loss mask* says which tokens count in the loss. The *advantage ' +
          'mask* says which tokens may get praise and blame. Normally both let only the agent’s tokens through.',
        'See for yourself. All three runs have the same seed, so they make the same attempts. Underlined tokens ' +
          'are in the loss.',
      ],
      figure: {
        kind: 'tokens',
        runs: [
          {
            label: 'Both masks',
            link: 'v=1&preset=calculator-mini&device=cpu&steps=1&tasks=4&evalTasks=1',
          },
          {
            label: 'No loss mask',
            link: 'v=1&preset=calculator-mini&device=cpu&steps=1&tasks=4&evalTasks=1&lossMask=off',
          },
          {
            label: 'Neither mask',
            link: 'v=1&preset=calculator-mini&device=cpu&steps=1&tasks=4&evalTasks=1&lossMask=off&advMask=off',
          },
        ],
      },
      after: [
        'Without the loss mask, results are counted in. As long as the advantage mask is on, their advantage is ' +
          '0: they push nothing, and only the number that the loss is divided by grows. Without either mask, ' +
          'results are praised and blamed like the agent’s own words.',
      ],
    },
  ],
  prediction: {
    question:
      'PPO is trained where one choice decides, and a result of 130 words stands between it and the reward. The ' +
      'advantage mask is off, so each of these words counts as an action, and the critic learns to value them. Once ' +
      'λ is 1, once it is 0.9: then each word passes on nine tenths of the credit. Before, the agent’s likelier ' +
      'choice was mostly the right one. What do you expect at 0.9?',
    guesses: ['The same', 'It learns later', 'It forgets what it knew'],
    figure: {
      kind: 'results',
      table: 'masks',
      rows: ['both-095-130', 'learns-1-130', 'learns-09-130'],
    },
    answer:
      'With both masks, and at λ 1, every seed ends at 100 %. At 0.9 each ends below where it began: a millionth of ' +
      'the reward arrives at the choice. So λ is a dose: behind ten words every seed still ends at 100 %. With the ' +
      'mask the tool’s words do not count.',
  },
  checks: [
    {
      question:
        'An attempt: the agent writes `calc(3*4)`, the tool returns `12`, the agent answers `12`. Which parts ' +
        'should be trained on?',
      choices: [
        {
          text: 'All three',
          why: 'The agent did not write the result. Trained on it, it would learn to write results itself.',
        },
        {
          text: 'The call and the answer',
          right: true,
          why: 'These are what the agent chose to write.',
        },
        {
          text: 'The answer alone',
          why: 'Then nothing would teach it when to call, and the call is what made the answer right.',
        },
      ],
    },
    {
      question: 'The loss mask is off and the advantage mask is on. What changes?',
      choices: [
        {
          text: 'The agent learns to invent results',
          why: 'Not yet. Results are in the loss, but their advantage is 0, so nothing pushes them.',
        },
        {
          text: 'Only the number that the loss is divided by',
          right: true,
          why: 'So each of the agent’s own tokens counts a little less.',
        },
        {
          text: 'Nothing at all',
          why: 'The loss is a mean over tokens, and now there are more of them.',
        },
      ],
    },
    {
      question: 'Long tool results are trained on, with a positive advantage. What may happen?',
      choices: [
        {
          text: 'The tool gets better',
          why: 'The tool is a program. Training changes only the model.',
        },
        {
          text: 'The agent writes results instead of calling',
          right: true,
          why: 'What becomes more likely is that the model itself writes such text.',
        },
        {
          text: 'Training gets faster',
          why: 'There are more tokens to train on, so it gets slower.',
        },
      ],
    },
  ],
  lab: {
    sentence:
      'The mini calculator without either mask. Train it, open a rollout and read its tokens. Then switch the ' +
      'masks on again and compare.',
    link: 'v=1&preset=calculator-mini&lossMask=off&advMask=off',
  },
} as const satisfies Lesson;
