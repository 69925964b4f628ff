// @vitest-environment dom
/** Rounds that a visitor plays, the rounds that teach, and the reward desk. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import PlayDialog from '../../../src/ui/panels/play/PlayDialog.svelte';
import TaughtRounds from '../../../src/ui/panels/play/TaughtRounds.svelte';
import ToolForm from '../../../src/ui/panels/play/ToolForm.svelte';
import RewardDesk from '../../../src/ui/panels/reward-editor/RewardDesk.svelte';
import type { PageState } from '../../../src/ui/state/page-state.svelte';
import { show, type Shown } from '../../helpers/dom/shown';
import { FakeBrowser, settle, stubPage, type FakeTrainer } from '../../helpers/fake-trainer';
import { failed, solved } from '../../helpers/token-rollouts';

stubPage();

let browser: FakeBrowser;

let page: PageState;

let trainer: FakeTrainer;

beforeEach(async () => {
  browser = new FakeBrowser();
  page = await browser.open();
  ({ trainer } = browser);
});

const come = async (shown: Shown, ms = 0) => {
  await vi.advanceTimersByTimeAsync(ms);
  shown.tell(shown.root, 'nothing');
};

const train = async (until: Parameters<FakeTrainer['play']>[0]) => {
  page.tabRun.commands.train.run();
  await settle();
  trainer.play(until);
};

describe('a tool as a form', () => {
  const open = (properties: object, required: string[] = []) => {
    const onCall = vi.fn(() => Promise.resolve(true));
    const tool = { name: 'move', description: 'Moves.', parameters: { type: 'object', properties, required } };
    return { shown: show(ToolForm, { tool: tool as never, act: 'Call move', onCall }), onCall };
  };

  it('is a row of buttons where one choice is all, and a list where there are many', async () => {
    const { shown, onCall } = open({ where: { enum: ['left', 'right'] } }, ['where']);
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "move Moves.",
        "group "where"",
        "button "left"",
        "button "right"",
      ]
    `);
    shown.press('right');
    expect(onCall).toHaveBeenCalledWith({ where: 'right' });
    const eight = open({ where: { enum: Array.from({ length: 8 }, (_, i) => i) } }).shown;
    const nine = open({ where: { enum: Array.from({ length: 9 }, (_, i) => i) } });
    expect([eight.all('button').length, nine.shown.all('select').length]).toEqual([8, 1]);
    expect(open({ where: { enum: ['a'] }, fast: { type: 'boolean' } }).shown.all('select')).toHaveLength(1);
  });

  it('has a field for each argument, which is empty again once the call was played', async () => {
    const properties = {
      n: { type: 'number', description: 'How far.' },
      fast: { type: 'boolean' },
      to: { type: 'string' },
    };
    const { shown, onCall } = open(properties, ['n']);
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "move Moves.",
        "n How far.",
        "field "n How far.": ",
        "fast (may stay empty)",
        "checkbox "fast (may stay empty)"",
        "to (may stay empty)",
        "field "to (may stay empty)": ",
        "button "Call move"",
      ]
    `);
    shown.write('n', '3');
    shown.click(shown.find('[type="checkbox"]'));
    onCall.mockResolvedValueOnce(false);
    expect(shown.tell(shown.find('form'), 'submit')).toBe(true);
    await come(shown);
    expect(onCall).toHaveBeenLastCalledWith({ n: 3, fast: true });
    expect([shown.control('n').value, shown.find('[type="checkbox"]').checked]).toEqual(['3', true]);
    shown.click(shown.find('[type="checkbox"]'));
    shown.tell(shown.find('form'), 'submit');
    await come(shown);
    expect([onCall.mock.lastCall, shown.control('n').value]).toMatchInlineSnapshot(`
      [
        [
          {
            "fast": false,
            "n": 3,
          },
        ],
        "",
      ]
    `);
  });
});

it('rounds that teach are listed by their turns, and taken away', () => {
  const [onremove, onclear] = [vi.fn(), vi.fn()];
  const round = { task: 3, turns: [{ calls: [{ name: 'add', arguments: { a: 1, b: 2 } }] }, { answer: '3' }] };
  const open = (rounds: object[], demonstrations = 1200) =>
    show(TaughtRounds, { rounds: rounds as never, demonstrations, onremove, onclear });
  const shown = open([round, { ...round, turns: [{ answer: 'x'.repeat(200) }] }]);
  shown.click(shown.find('summary'));
  expect(shown.says).toMatchInlineSnapshot(`
    [
      "section "Rounds that teach"",
      "The next training copies your 2 rounds, again and again among 1.2K examples of this world. Then …",
      "fold "Rounds that teach", expanded",
      "add(1, 2) → 3",
      "button "Remove round 1"",
      "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…",
      "button "Remove round 2"",
      "button "Remove all"",
    ]
  `);
  expect(shown.all('li .mono')[1].textContent.length).toBeLessThanOrEqual(161);
  shown.press('Remove round 1');
  shown.press('Remove all');
  expect([onremove.mock.calls, onclear.mock.calls.length]).toEqual([[[round]], 1]);
  expect(open([]).says).toMatchInlineSnapshot(`
    [
      "section "Rounds that teach"",
      "No round teaches yet.",
    ]
  `);
  expect(open([round], 0).says[1]).toMatchInlineSnapshot(
    `"The setup starts from scratch, so the next training copies no round."`,
  );
});

describe('a round', () => {
  const tool = {
    name: 'calc',
    description: 'Calculates.',
    parameters: { type: 'object', properties: { e: { type: 'string' } } },
  };
  const view = (turns: readonly object[], more: object = {}) => ({
    prompt: 'What is 2+2?',
    seen: 'A board.',
    scene: null,
    image: null,
    tools: [tool],
    takesAnswer: true,
    maxTurns: 3,
    steps: turns.map(() => [{ name: 'calc', arguments: { e: '2+2' }, result: '4' }]),
    answer: null,
    end: null,
    success: false,
    reward: 0,
    problem: null,
    ...more,
  });
  const ended = { answer: '4', end: 'answer', success: true, reward: 1 };

  it('has no field for an answer where none ends it', async () => {
    trainer.answer({ play: async ({ turns }) => view(turns, { takesAnswer: false }) as never });
    await train(1);
    const shown = show(PlayDialog, {}, page);
    shown.calls('open');
    await come(shown);
    expect(shown.says).toContain('button "Call calc"');
    expect(shown.says).not.toContain('button "Answer"');
  });

  it('is played with the agent’s tools, and scored beside it', async () => {
    trainer.answer({
      play: async ({ turns }) => view(turns, turns.some((turn) => 'answer' in turn) ? ended : {}) as never,
    });
    await train(1);
    trainer.tell({ type: 'same-tasks', sameTasks: [[{ ...failed, iteration: 0 }]] as never });
    const shown = show(PlayDialog, {}, page);
    shown.calls('open');
    await come(shown);
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "# Play it yourself",
        "button "Close"",
        "You have the agent’s tools, its turns and its reward. The agent answered this task, too.",
        "What is 2+2?",
        "A board.",
        "turn 1 of 3",
        "calc Calculates.",
        "e (may stay empty)",
        "field "e (may stay empty)": ",
        "button "Call calc"",
        "answer The final answer. It ends the round.",
        "text",
        "field "text": ",
        "button "Answer"",
        "button "New task"",
        "button "Teach the agent"",
      ]
    `);
    expect(document.activeElement).toBe(shown.all('form input')[0]);
    shown.write('e', '2+2');
    shown.tell(shown.find('form'), 'submit');
    await come(shown);
    expect(shown.find('[aria-live]').textContent.trim()).toBe('turn 2 of 3');
    shown.write('text', '4');
    shown.tell(shown.all('form').at(-1)!, 'submit');
    await come(shown);
    expect(shown.says.slice(3)).toMatchInlineSnapshot(`
      [
        "What is 2+2?",
        "A board.",
        "calc(2+2) → 4",
        "calc(2+2) → 4",
        "4",
        "Solved. You solved 1 of 1 task at the first try.",
        "region "You and the agent on this task"",
        "Who | Solved | Reward | Turns",
        "You | yes | 1.00 | 2",
        "Agent, before | no | 0.00 | 1",
        "button "New task", primary",
        "button "Play it again"",
        "button "Teach the agent"",
      ]
    `);
    expect(document.activeElement).toBe(shown.control('New task'));
    shown.press('New task');
    await come(shown);
    expect(shown.find('[aria-live]').textContent.trim()).toBe('turn 1 of 3');
    trainer.answer({ play: () => Promise.reject(new Error('It is gone.')) });
    shown.press('New task');
    await come(shown);
    expect(shown.says.join()).toContain('It is gone.');
  });

  it('that solves a practice task can teach', async () => {
    trainer.answer({ play: async ({ turns }) => view(turns, turns.length > 0 ? ended : {}) as never });
    const shown = show(PlayDialog, {}, page);
    shown.calls('open');
    await come(shown);
    shown.press('Teach the agent');
    await come(shown);
    expect(shown.says[2]).toContain('A practice task.');
    shown.write('text', '4');
    shown.tell(shown.all('form').at(-1)!, 'submit');
    await come(shown);
    expect(document.activeElement).toBe(shown.control('Use this round to teach'));
    shown.press('Use this round to teach');
    await come(shown);
    expect(shown.says).toContain('good: This round teaches.');
    expect(document.activeElement).toBe(shown.control('New task'));
    expect(page.workspace.setup.config!.warmStart.rounds).toContain('"answer":"4"');
    trainer.answer({ play: async ({ turns }) => view(turns, { ...ended, success: false }) as never });
    shown.press('New task');
    await come(shown);
    expect(shown.says.join()).toContain('Only a round that solves its task teaches.');
  });
});

describe('the reward desk', () => {
  const batch = [solved, { ...failed, advantage: -0.5 }];
  const rescored = (more: object = {}) =>
    ({
      terms: [{ name: 'correct', description: 'right', weight: 1, mean: 0.5 }],
      before: batch.map(({ reward, advantage }) => ({ reward, advantage })),
      after: batch.map(({ reward, advantage }) => ({ reward: 2 * reward, advantage })),
      missing: null,
      planned: 4,
      ...more,
    }) as never;
  const open = async (more: object = {}) => {
    trainer.answer({ rescore: async () => rescored(more) });
    await train(3);
    const shown = show(RewardDesk, { batch: batch as never }, page);
    shown.calls('open');
    await come(shown, 1000);
    return shown;
  };

  it('scores the rollouts of a step again under other weights, and trains on with them', async () => {
    const shown = await open();
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "# Reward desk",
        "button "Close"",
        "2 rollouts of iteration 3, scored again by GRPO, under the reward that you choose here.",
        "Weights",
        "correct",
        "field "Weight of correct": 1",
        "right Mean of these rollouts: 0.50.",
        "button "Back to the run’s reward", disabled",
        "Of the iteration’s 4 rollouts, 2 are here. Advantages that compare with the whole batch are ther…",
        "region "Rewards and advantages before and after, by group; the group that moved most comes first…",
        "Rollout | Reward | Advantage",
        "What is 6*7? did not move",
        "img "solved" 0 | 1.00 → 2.00 | +0.50",
        "img "failed" 1 | 0.00 | −0.50",
        "button "Go on with this reward", disabled, primary",
        "Change a weight or the code to see what moves.",
      ]
    `);
    shown.write('Weight of correct', '2');
    await come(shown, 1000);
    page.tabRun.commands.pause.run();
    await come(shown);
    expect(shown.says.slice(-2)).toMatchInlineSnapshot(`
      [
        "button "Go on with this reward", primary",
        "This reward counts from the next iteration on, in a new run. The run so far stays saved.",
      ]
    `);
    shown.press('Go on with this reward');
    await come(shown);
    expect([trainer.orders.at(-1), shown.find('dialog').open]).toEqual(['changeReward', false]);
  });

  it('says what is missing, and why it cannot score', async () => {
    const shown = await open({
      missing: 'One term is unknown.',
      replay: { parted: 1, failures: { count: 1, reason: 'It threw.' } },
    });
    expect(shown.says.filter((line) => /warning|unknown|part|of 4/.test(line))).toMatchInlineSnapshot(`
      [
        "warning: Your code changes the tasks of 1 of 2 rollouts, or what their agent saw. Those keep the…",
        "warning: Your code failed in 1 of 2 rollouts: It threw.",
        "Rewards only: One term is unknown.",
      ]
    `);
    shown.write('Weight of correct', 'x');
    await come(shown, 1000);
    expect(shown.control('Weight of correct').getAttribute('aria-invalid')).toBe('true');
    trainer.answer({ rescore: () => Promise.reject(new Error('It is gone.')) });
    shown.calls('open');
    await come(shown, 1000);
    expect(shown.all('.warning').map((each) => each.textContent)).toEqual([
      'The rollouts could not be scored: It is gone.',
    ]);
  });

  it('shows 24 groups before more are asked for', async () => {
    const many = Array.from({ length: 26 }, (_, i) => ({ ...solved, index: i, group: i, taskId: `t${i}` }));
    const scores = many.map(() => ({ reward: 1, advantage: 0 }));
    trainer.answer({ rescore: async () => rescored({ before: scores, after: scores, planned: 26 }) });
    await train(3);
    const shown = show(RewardDesk, { batch: many as never }, page);
    shown.calls('open');
    await come(shown, 1000);
    expect(shown.all('tbody')).toHaveLength(24);
    shown.press('Show all');
    expect(shown.all('tbody')).toHaveLength(26);
    shown.calls('open');
    await come(shown, 1000);
    expect(shown.all('tbody')).toHaveLength(24);
  });
});
