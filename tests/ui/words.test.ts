/** Sentences that say something else for none, for one and for many, or where something is not known. */
import { expect, test } from 'vitest';
import { text as presentation } from '../../src/presentation/text';
import { text as shell } from '../../src/ui/base/text';
import { text as learn } from '../../src/ui/pages/learn/text';
import { text as library } from '../../src/ui/state/library/text';
import { text as queue } from '../../src/ui/state/queue/text';
import { text as share } from '../../src/ui/state/run/share-text';
import { text as run } from '../../src/ui/state/run/text';
import { text as setup } from '../../src/ui/state/setup/text';
import { text as charts } from '../../src/presentation/charts/text';
import { text as estimators } from '../../src/presentation/estimators/text';
import { text as tokens } from '../../src/presentation/token-words';
import { text as rollouts } from '../../src/presentation/reader-text';
import { text as scenes } from '../../src/ui/view/scenes/text';

const progress = (iteration: number, finished = false) => ({ iteration, finished, config: { iterations: 9 } });

test.each<[string, readonly string[], readonly string[]]>([
  ['the tab', [shell.tabTitle('Ready', null), shell.tabTitle('Ready', 'Bandit')], ['Ready – A', 'Ready · Bandit – A']],
  [
    'a lesson’s runs',
    [learn.train.train(1, false), learn.train.train(2, true), learn.train.train(3, false)],
    ['Train it here', 'Train both here again', 'Train all here'],
  ],
  ['an answer of a lesson', [true, false].map(learn.beforeAfter.outcome), ['✓ right', '✗ wrong']],
  ['the list of runs', [library.count(2, 2), library.count(1, 2)], ['2 runs', '1 of 2 runs']],
  ['a row of it', [library.row.steps(9, 9), library.row.steps(3, 9)], ['9 iterations', 'iteration 3 of 9']],
  ['what does not fit', [1, 2].map(library.compare.left), ['1 run does not fit', '2 runs do not fit']],
  ['the comparison', [1, 2].map(queue.compare), ['Show its curve', 'Compare these 2']],
  ['a stored queue', [1, 2].map(queue.stopped.reloaded), ['1 run waits in', '2 runs wait in']],
  [
    'what was left out of it',
    [queue.leftOut(1, null), queue.leftOut(2, 'It is odd.')],
    ['1 run of the queue was left out: what this browser has stored of it is', '2 runs of the queue were left out'],
  ],
  [
    'why',
    [queue.leftOut(2, 'Odd.').slice(-27), queue.leftOut(1, null).slice(-13)],
    [' not of this version (Odd.)', 'this version.'],
  ],
  [
    'the end of a run',
    [queue.said.done('A', 0), queue.said.done('A', 1)],
    ['A is done. None waits.', 'A is done. 1 run left'],
  ],
  [
    'the end of the queue',
    [queue.said.allDone(2, 0), queue.said.allDone(1, 1)],
    ['The queue is done: 2 runs finished.', 'The queue is done: 1 run finished, 1 failed.'],
  ],
  [
    'too many runs',
    [queue.form.tooMany(30, 0, 24), queue.form.tooMany(20, 9, 24)],
    ['30 runs are too many: at', '20 runs are too many beside the 9 that wait: at'],
  ],
  ['how long they take', [queue.form.takes(null), queue.form.takes('5 s')], ['How long they', 'They take about 5 s']],
  [
    'how long copying takes',
    [setup.startCost(null), setup.startCost('5 s')],
    ['How long copying', 'Copying them takes'],
  ],
  [
    'a range',
    [setup.allowed('1 to 2', ''), setup.allowed('1 to 2', 'tokens')],
    ['From 1 to 2.', 'From 1 to 2 tokens.'],
  ],
  [
    'a press that waits',
    [true, false].map(run.run.waitsFor.gpu),
    ['Looking for a GPU… Training', 'Looking for a GPU…'],
  ],
  ['a press after Reset', [true, false].map(run.run.waitsFor.stop), ['Stopping… The next', 'Stopping…']],
  ['a save', [0, 1].map(run.run.saved), ['warm start saved', 'saved at iteration 1']],
  ['a verdict in the chat', [true, false].map(run.chat.judged), ['Solved, says', 'Not solved, says']],
  ['a long chat', [1, 2].map(run.chat.forgotten), ['The oldest message was', 'The 2 oldest messages were']],
  [
    'the place of a save',
    [progress(9, true), progress(0), progress(3)].map(run.saved.place),
    ['finished after 9 iterations', 'in its warm start', 'iteration 3 of 9'],
  ],
  [
    'a run that was cleared',
    [0, 3].map((iteration) => run.notice.cleared({ ...progress(iteration), title: 'A' })),
    ['Run cleared: A, warm start.', 'Run cleared: A, iteration 3.'],
  ],
  [
    'a crash',
    [progress(0), progress(3), progress(9, true)].map((saved) => run.notice.crash('Lost.', saved).split('; ')[1]),
    ['the run goes on from its warm start', 'the run goes on from iteration 3', 'the finished run was loaded'],
  ],
  [
    'a hidden tab',
    [null, 0, 3].map((savedAt) => run.notice.hidden(60_000, 2, savedAt).split(' and is ')[1]),
    ['not saved yet.', 'saved in its warm start.', 'saved at iteration 3.'],
  ],
  [
    'where curves begin',
    [run.shown.curvesAfter(null), run.shown.curvesAfter('first point in about 5s')],
    ['Your curves begin with the first point. How', 'Your curves begin with the first point: in about 5s.'],
  ],
  [
    'a link',
    [null, 'CPU'].map((adapter) => share.author.where(adapter, '1')),
    ['The link says: made', 'The link says: trained on CPU,'],
  ],
  ['a crosshair', [charts.spoken(null, '5'), charts.spoken('iteration 2', '5')], ['latest: 5', 'iteration 2: 5']],
  [
    'a change',
    [true, false].map((rose) => charts.summary.changed('KL', rose, '1', '2', 'iteration 2')),
    ['KL rose from', 'KL fell from'],
  ],
  [
    'a rollout to read',
    [undefined, true, false].map((success) => estimators.pick(3, '1', success)),
    ['Read rollout 3: reward 1', 'Read rollout 3: solved, reward 1', 'Read rollout 3: failed, reward 1'],
  ],
  ['no rollouts', [true, false].map(rollouts.empty), ['No rollouts yet. After', 'No rollouts yet. Press']],
  ['a search', ['7', ''].map(rollouts.list.none), ['No rollout here contains “7”.', 'No rollout here matches.']],
  ['turns', [1, 2].map(rollouts.list.turn), ['turn', 'turns']],
  ['errors', [1, 2].map(rollouts.list.error), ['error', 'errors']],
  [
    'a group',
    [null, 3].map((iteration) => rollouts.list.group(iteration, 1, 0.5)),
    ['1 rollout · mean', 'iteration 3 · 1 rollout · mean'],
  ],
  ['an outcome', [true, false].map(presentation.rollout.outcome), ['✓ solved', '✗ failed']],
  ['equal rollouts', [presentation.divergence.times(2), `none${presentation.divergence.times(1)}`], [' ×2', 'none']],
  ['a token', [true, false].map(tokens.training), ['in the loss', 'masked']],
  [
    'the agent that read a token',
    [tokens.now(0, true), tokens.now(0, false), tokens.now(2, false)],
    [
      'By the agent now, during iteration 1.',
      'By the agent now, before iteration 1.',
      'By the agent now, after iteration 2.',
    ],
  ],
  ['a drawing', [scenes.at(0, 3), scenes.at(1, 3)], ['before the first step', 'step 1 of 3']],
  [
    'one of the crowd',
    [scenes.crowd.one(1, true), scenes.crowd.one(1, false)],
    ['Rollout 1: solved', 'Rollout 1: failed'],
  ],
])('%s', (_, said, expected) => {
  expect(said).toHaveLength(expected.length);
  for (const [i, sentence] of said.entries()) expect(sentence.startsWith(expected[i]), sentence).toBe(true);
});
