// @vitest-environment dom
/** The setup as a form: what a field takes and refuses, and what the panel warns of. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import FieldControl from '../../../src/ui/panels/setup/FieldControl.svelte';
import SetupPanel from '../../../src/ui/panels/setup/SetupPanel.svelte';
import SourceView from '../../../src/ui/panels/setup/SourceView.svelte';
import type { PageState } from '../../../src/ui/state/page-state.svelte';
import { Setup } from '../../../src/ui/state/setup/setup.svelte';
import { show, type Shown } from '../../helpers/dom/shown';
import { catalogOf } from '../../helpers/catalog';
import { FakeBrowser, settle, stubPage } from '../../helpers/fake-trainer';
import { soon } from '../../helpers/soon';

stubPage();

let browser: FakeBrowser;

let page: PageState;

beforeEach(async () => {
  browser = new FakeBrowser();
  page = await browser.open();
  // What a hub offers is asked in a worker, which these tests have not.
  vi.spyOn(page.workspace.hub, 'refresh').mockResolvedValue();
});

const come = async (shown: Shown) => {
  await settle();
  shown.tell(shown.root, 'nothing');
};

describe('a field', () => {
  let setup: Setup;
  beforeEach(() => {
    setup = new Setup();
    setup.adopt(catalogOf('calculator-mini', 'bandit'));
  });
  const rate = {
    title: 'Learning rate',
    help: 'How far a step goes.',
    kind: 'number',
    scale: 'log',
    min: 1e-5,
    max: 0.1,
  };
  const fieldOf = (path: string, shape: object, more: object = {}) =>
    show(FieldControl, { setup, path: path.split('.'), shape: shape as never, ...more });

  it('shows its value and its range, takes a number in that range, and goes back', () => {
    const shown = fieldOf('optimizer.learningRate', rate);
    const before = setup.config!.optimizer.learningRate;
    const first = shown.says;
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "Learning rate",
        "field "Learning rate": 6e-4",
        "Learning rate: How far a step goes. From 1e-5 to 0.1.",
      ]
    `);
    shown.write('Learning rate', '3e-4');
    expect(setup.config!.optimizer.learningRate).toBe(3e-4);
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "Learning rate",
        "button "Undo edit"",
        "field "Learning rate": 3e-4",
        "Learning rate: How far a step goes. From 1e-5 to 0.1. (edited)",
      ]
    `);
    shown.write('Learning rate', '7');
    expect([setup.config!.optimizer.learningRate, shown.find('[id$="-error"]').textContent]).toMatchInlineSnapshot(`
      [
        0.0003,
        "Learning rate must be a number from 1e-5 to 0.1.",
      ]
    `);
    expect(shown.find('input').getAttribute('aria-invalid')).toBe('true');
    shown.click(shown.find('button'));
    expect([setup.config!.optimizer.learningRate, shown.says]).toEqual([before, first]);
  });

  it('is stepped by arrows: along a scale of 1, 2, 5, by one, or by a hundredth, never out of its range', () => {
    const press = (shown: Shown, key: string) => shown.key(shown.find('input'), key);
    const log = fieldOf('optimizer.learningRate', rate);
    setup.set(['optimizer', 'learningRate'], 0.01);
    expect([press(log, 'ArrowUp'), setup.config!.optimizer.learningRate]).toEqual([true, 0.02]);
    expect([press(log, 'ArrowDown'), setup.config!.optimizer.learningRate]).toEqual([true, 0.01]);
    setup.set(['optimizer', 'learningRate'], 0.1);
    expect([press(log, 'ArrowUp'), setup.config!.optimizer.learningRate]).toEqual([true, 0.1]);
    const whole = fieldOf('seed', { title: 'Seed', help: '', kind: 'integer', min: 0, max: 9 });
    setup.set(['seed'], 3);
    expect([press(whole, 'ArrowUp'), setup.config!.seed]).toEqual([true, 4]);
    expect([press(whole, 'ArrowDown'), setup.config!.seed]).toEqual([true, 3]);
    const small = fieldOf('rollout.temperature', { title: 'Temperature', help: '', kind: 'number', min: 0, max: 2 });
    setup.set(['rollout', 'temperature'], 0.3);
    expect([press(small, 'ArrowUp'), setup.config!.rollout.temperature]).toEqual([true, 0.31]);
    expect([press(small, 'ArrowDown'), setup.config!.rollout.temperature]).toEqual([true, 0.3]);
    expect([press(small, 'x'), setup.config!.rollout.temperature]).toEqual([false, 0.3]);
  });

  it('has its help where the pointer moves and where the focus comes', () => {
    const shown = fieldOf('optimizer.learningRate', { ...rate, unit: 'per step' }, { stacked: true });
    const help = shown.find('[id$="-help"]').textContent.trim();
    expect([help, shown.find('.field').getAttribute('title')]).toMatchInlineSnapshot(`
      [
        "Learning rate: How far a step goes. From 1e-5 to 0.1 per step.",
        "Learning rate: How far a step goes. From 1e-5 to 0.1 per step.",
      ]
    `);
    shown.tell(shown.find('.field'), 'pointermove', { movementX: 0, movementY: 0 });
    expect(setup.hint).toBe('');
    for (const moved of [
      { movementX: 1, movementY: 0 },
      { movementX: 0, movementY: 1 },
    ]) {
      setup.hint = '';
      shown.tell(shown.find('.field'), 'pointermove', moved);
      expect(setup.hint).toBe(help);
    }
    setup.hint = '';
    shown.find('input').focus();
    expect(setup.hint).toBe(help);
    expect(
      fieldOf('seed', { title: 'Seed', help: 'Any.', kind: 'integer', min: 0 }).find('[id$="-help"]').textContent,
    ).toBe('Seed: Any.');
  });

  it('may be a switch, or a choice, or a choice in groups', () => {
    const flag = fieldOf('algorithm.lossMask', { title: 'Loss mask', help: '', kind: 'flag' });
    expect(flag.says[1]).toBe('checkbox "Loss mask", checked');
    flag.click(flag.find('input'));
    expect(setup.config!.algorithm.lossMask).toBe(false);
    const choice = fieldOf('device', { title: 'Device', help: '', kind: 'choice', choices: ['auto', 'gpu', 'cpu'] });
    choice.write('Device', 'cpu');
    expect([setup.config!.device, choice.says[1]]).toMatchInlineSnapshot(`
      [
        "cpu",
        "button "Undo edit"",
      ]
    `);
    const groups = [
      { title: 'A', choices: [{ value: 'grpo', title: 'GRPO' }] },
      { title: 'B', choices: [{ value: 'ppo', title: 'PPO' }] },
    ];
    const grouped = fieldOf('algorithm.name', { title: 'Algorithm', help: '', kind: 'choice', groups });
    grouped.write('Algorithm', 'ppo');
    expect([setup.config!.algorithm.name, grouped.says.at(-1)]).toMatchInlineSnapshot(`
      [
        "ppo",
        "Algorithm: (edited)",
      ]
    `);
    const standard = { title: 'Mode', help: '', kind: 'choice', choices: ['easy', 'hard'], standard: 'hard' };
    expect(fieldOf('environment.options.none', standard).says[1]).toBe('choice "Mode": hard of easy | hard');
  });
});

describe('the panel', () => {
  const panel = () => show(SetupPanel, { onOwn: vi.fn() }, page);

  it('has the preset, the few settings one changes first, and what is wrong with them', () => {
    const shown = panel();
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "# Setup",
        "Preset",
        "choice "Preset": Calculator, mini of Calculator, mini | Two-armed bandit",
        "Algorithm",
        "choice "Algorithm": GRPO of 18",
        "Algorithm: How rewards become advantages.",
        "Learning rate",
        "field "Learning rate": 6e-4",
        "Learning rate: Peak AdamW rate of reinforcement. It should fall as the width grows, by 64 / widt…",
        "Seed",
        "field "Seed": 1",
        "Seed: Same seed, same device: same run, bit for bit. From 0 to 4294967295.",
        "button "New seed"",
        "button "Your own environment…"",
        "fold "All settings"",
      ]
    `);
    shown.write('Preset', 'bandit');
    expect(page.workspace.setup.preset?.name).toBe('bandit');
    const seed = page.workspace.setup.config!.seed;
    shown.press('New seed');
    expect(page.workspace.setup.config!.seed).not.toBe(seed);
    expect(shown.says.filter((line) => line.startsWith('warning') || line.startsWith('fold'))).toMatchInlineSnapshot(`
      [
        "fold "All settings edited"",
      ]
    `);
  });

  it('warns of a high learning rate, of mistakes on purpose, of foreign code and of what the plan says', () => {
    const shown = panel();
    const { setup } = page.workspace;
    const warnings = () => shown.all('.warning').map((each) => each.textContent);
    const see = () => {
      shown.tell(shown.root, 'nothing');
      return warnings();
    };
    expect(warnings()).toEqual([]);
    setup.set(['optimizer', 'learningRate'], 2e-3);
    expect(see()).toEqual([]);
    setup.set(['optimizer', 'learningRate'], 3e-3);
    expect(see()).toMatchInlineSnapshot(`
      [
        "This learning rate is high. A small agent may forget how to answer. Lower the rate if the curve dives.",
      ]
    `);
    setup.restoreAll();
    const [mistake] = setup.catalog!.fields.filter(({ path }) => path.startsWith('mistakes.'));
    setup.set(mistake.path.split('.'), true);
    expect(see()).toEqual([expect.stringContaining(mistake.title)]);
    setup.restoreAll();
    setup.plan = { ...setup.plan!, problems: ['Too large.'], notices: ['Slow.'] };
    expect(see()).toEqual(['Too large.', 'Slow.']);
    setup.plan = { ...setup.plan, problems: [], notices: [] };
    setup.loadLinked('', { ...setup.config!, environment: { name: 'own', options: {}, source: 'export {}' } });
    expect(see().length).toBe(1);
  });

  it('unfolds all settings and puts them back', async () => {
    const shown = panel();
    shown.calls('unfold');
    expect(document.activeElement).toBe(shown.find('summary'));
    await soon(async () => {
      await come(shown);
      expect(shown.all('fieldset').length).toBeGreaterThan(3);
    });
    expect(shown.says).not.toContain('button "Back to the preset"');
    page.workspace.setup.set(['seed'], 99);
    await come(shown);
    shown.press('Back to the preset');
    expect(page.workspace.setup.edited).toBe(false);
  });
});

it('source code marks characters that hide, and is cut until all is asked for', () => {
  const shown = show(SourceView, { source: `let a\u202e = 1;${' '.repeat(9000)}end` });
  expect(shown.says[0]).toMatch(/^warning: /);
  expect(shown.all('mark')).toHaveLength(1);
  expect(shown.find('pre').textContent).not.toContain('end');
  shown.press('Show all');
  expect(shown.find('pre').textContent).toContain('end');
  expect(show(SourceView, { source: 'let a;' }).says).toEqual(['pre "Source of the environment"', 'let a;']);
});
