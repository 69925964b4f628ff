/** Words of a round that a visitor plays in the agent's place. */
import { plural } from '../../base/format';

export const text = {
  about: (isAnswered: boolean) =>
    'You have the agent’s tools, its turns and its reward. ' +
    (isAnswered ? 'The agent answered this task, too.' : 'No agent has answered this task yet.'),
  notReady: 'The trainer is not ready yet: try again in a moment.',
  coming: 'The task comes …',
  turn: (turn: number, most: number) => `turn ${turn} of ${most}`,
  call: (tool: string) => `Call ${tool}`,
  answer: 'Answer',
  answerHint: 'The final answer. It ends the round.',
  optional: '(may stay empty) ',
  you: 'You',
  newTask: 'New task',
  again: 'Play it again',
  over: (isSolved: boolean) => (isSolved ? 'Solved.' : 'Not solved.'),
  score: 'You and the agent on this task',
  columns: ['Who', 'Solved', 'Reward', 'Turns'],
  agent: (when: string) => `Agent, ${when.toLowerCase()}`,
  yes: 'yes',
  no: 'no',
  total: (solved: number, played: number) => `You solved ${solved} of ${plural(played, 'task')} at the first try.`,
} as const;
