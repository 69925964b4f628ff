/** The commands of the palette as things stand now, and its words. Each does what its button does. */
import type { TabRun } from '../../state/tab-run.svelte';
import type { TrainerState } from '../../state/trainer-state.svelte';
import type { Workspace } from '../../state/workspace.svelte';
import type { Command as Ordered } from '../../state/run/run-commands.svelte';
import { text as lab } from '../../state/run/text';
import { addressOf } from '../learn/lesson-page';
import { lessons } from '../../../lessons/table';
import { text as exported } from '../../panels/export/text';
import { sentenceOf } from '../../../lib/sentences';
import { pageOf } from '../../base/address';
import { preferences, themes } from '../../base/preferences.svelte';
import { text as shell } from '../../base/text';
import type { Named } from '../../../lib/matching';

export interface Command extends Named {
  /** Its key in the Lab. */
  readonly key?: string;
  /** Why it cannot be run now: a sentence. */
  readonly why?: string | null;
  readonly act: () => void;
}

export interface CommandParts {
  readonly trainer: TrainerState;
  readonly tabRun: TabRun;
  readonly workspace: Workspace;
  /** The Lab's address as it was left. */
  readonly labHash: string;
  readonly onHelp: () => void;
}

/** Runs that are compared, latest first. */
const maxLatest = 6;

export const text = {
  title: 'Commands',
  placeholder: 'A command, page, lesson or world',
  none: 'No command has these words.',
  count: (count: number) => `${count} command${count === 1 ? '' : 's'}`,
  kinds: {
    run: 'run',
    page: 'page',
    lesson: 'lesson',
    world: 'world',
    lab: 'Lab',
    export: 'export',
    view: 'view',
  },
  lesson: (number: number, title: string) => `${number}. ${title}`,
  compare: 'Compare the latest runs',
  chat: 'Talk to the agent',
  settings: 'All settings',
  edit: 'Write an environment',
  fit: 'Fit the charts',
  file: (name: string) => `Export: ${name}`,
  endPresent: 'End presenting',
  shortcuts: 'Keyboard shortcuts',
  noAgent: 'There is no agent yet.',
} as const;

const { kinds } = text;

export function commandsOf(parts: CommandParts): readonly Command[] {
  return [
    ...runCommands(parts),
    ...pageCommands(parts),
    ...labCommands(parts),
    ...worldCommands(parts),
    ...exportCommands(parts),
    ...viewCommands(parts),
  ];
}

function runCommands(parts: CommandParts): readonly Command[] {
  const { run, commands } = parts.tabRun;
  const { trainOrPause, step, reset, extend } = commands;
  const words = lab.run;
  const inLab = (name: string, key: string | undefined, order: Ordered): Command => ({
    ...ordered(kinds.run, name, key, order),
    act: () => {
      toLab(parts);
      order.run();
    },
  });
  const train = run.state === 'finished' ? words.trainAgain : words.train;
  return [
    inLab(run.busy ? words.pause : train, 'Space', trainOrPause),
    inLab(words.step, '.', step),
    inLab(words.reset, 'R', reset),
    inLab(words.more, undefined, extend),
  ];
}

function pageCommands(parts: CommandParts): readonly Command[] {
  const { pages } = shell;
  const page = (name: string, hash: string, kind: string = kinds.page): Command => ({
    name,
    kind,
    act: () => (location.hash = hash),
  });
  return [
    page(pages.gallery, '#/'),
    { name: pages.lab, kind: kinds.page, act: () => toLab(parts) },
    page(pages.runs, '#/runs'),
    page(pages.learn, addressOf('list')),
    ...lessons.map(({ title }, i) => page(text.lesson(i + 1, title), addressOf(i + 1), kinds.lesson)),
    { name: text.compare, kind: kinds.page, act: () => void saying(parts, compareLatest(parts)) },
  ];
}

/** Worlds open as their cards in the gallery do. */
function worldCommands({ workspace: { setup } }: CommandParts): readonly Command[] {
  return (setup.catalog?.presets ?? []).map(({ name, title }) => ({
    name: title,
    kind: kinds.world,
    act: () => (location.hash = `#/lab?v=1&preset=${name}`),
  }));
}

function labCommands({ tabRun: { commands } }: CommandParts): readonly Command[] {
  return [
    ordered(kinds.lab, text.chat, 'C', commands.chat),
    ordered(kinds.lab, shell.intro.play, undefined, commands.play),
    ordered(kinds.lab, text.settings, undefined, commands.settings),
    ordered(kinds.lab, text.edit, 'E', commands.edit),
    ordered(kinds.lab, lab.run.share, undefined, commands.share),
    ordered(kinds.lab, text.fit, '0', commands.fit),
  ];
}

/** A command of the page's table. */
function ordered(kind: string, name: string, key: string | undefined, { why, run }: Ordered): Command {
  return { kind, name, key, why, act: run };
}

function exportCommands(parts: CommandParts): readonly Command[] {
  const { run } = parts.tabRun;
  const kindsOfFile = Object.keys(exported.kinds) as (keyof typeof exported.kinds)[];
  return kindsOfFile.map((kind) => {
    const needs = kind === 'safetensors' && !run.hasAgent ? text.noAgent : null;
    return {
      name: text.file(exported.kinds[kind].name),
      kind: kinds.export,
      why: run.metrics.length === 0 ? exported.noCurve : needs,
      act: () => void saying(parts, exportRun(parts, kind)),
    };
  });
}

function viewCommands({ onHelp }: CommandParts): readonly Command[] {
  const { present } = preferences;
  return [
    ...themes.map((theme) => ({
      name: shell.theme[theme],
      kind: kinds.view,
      act: () => (preferences.theme = theme),
    })),
    {
      name: present ? text.endPresent : shell.present,
      kind: kinds.view,
      act: () => (preferences.present = !present),
    },
    { name: text.shortcuts, kind: kinds.view, key: '?', act: onHelp },
  ];
}

function toLab({ labHash }: CommandParts): void {
  if (pageOf(location.hash) !== 'lab') location.hash = labHash;
}

async function compareLatest({ trainer, workspace }: CommandParts): Promise<void> {
  const [queue, runs] = await Promise.all([workspace.openQueue(), trainer.api?.runs() ?? []]);
  queue.wanted = runs.slice(0, maxLatest).map(({ id }) => id);
  location.hash = '#/runs';
}

async function exportRun(parts: CommandParts, kind: keyof typeof exported.kinds): Promise<void> {
  const { trainer, tabRun, workspace } = parts;
  const [{ saveFile }, { ofTabRun }] = await Promise.all([
    import('../../panels/export/save-file'),
    import('../../panels/export/exported-run'),
  ]);
  const source = () => ofTabRun(tabRun, trainer.api, workspace.setup.catalog);
  await saveFile(kind, source, tabRun.run.hasAgent ? async () => trainer.api!.checkpoint() : null);
}

/** Says why something could not be done. */
async function saying({ workspace: { failures } }: CommandParts, done: Promise<void>): Promise<void> {
  await done.catch((error: unknown) => failures.show(sentenceOf(error), null));
}
