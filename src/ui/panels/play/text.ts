/** Words of a round that a visitor plays in the agent's place. */
import { plural } from '../../../lib/format';

export const text = {
  about: (isAnswered: boolean) =>
    'You have the agent’s tools, its turns and its reward. ' +
    (isAnswered ? 'The agent answered this task, too.' : 'No agent has answered this task yet.'),
  lesson:
    'A practice task. Solve it, and your round can teach the agent: it copies your turns. Tasks on which it is ' +
    'tested teach nothing.',
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
  teach: 'Teach the agent',
  compete: 'Play against the agent',
  keep: 'Use this round to teach',
  kept: 'This round teaches.',
  rounds: 'Rounds that teach',
  willTeach: (count: number, demonstrations: string) =>
    `The next training copies your ${plural(count, 'round')}, again and again among ${demonstrations} examples of ` +
    'this world. Then reinforcement improves on them. Your link has your rounds, too.',
  noneYet: 'No round teaches yet.',
  scratch: 'The setup starts from scratch, so the next training copies no round.',
  onlySolved: 'Only a round that solves its task teaches.',
  refused: (reason: string) => `This round cannot be kept: ${reason}`,
  removeOne: 'Remove',
  remove: (round: number) => `Remove round ${round}`,
  removeAll: 'Remove all',
  total: (solved: number, played: number) => `You solved ${solved} of ${plural(played, 'task')} at the first try.`,
} as const;
