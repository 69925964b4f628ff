/** The commands of the palette as things stand now. Each does what its button does. */
import type { Lab } from '../lab/lab.svelte';
import { text as lab } from '../lab/text';
import { addressOf } from '../learn/address';
import { text as lessons } from '../learn/lessons-text';
import { text as exported } from '../export/text';
import { sentenceOf } from '../shell/error-sentence';
import { pageOf } from '../shell/page';
import { preferences, themes } from '../shell/preferences.svelte';
import { text as shell } from '../shell/text';
import type { Named } from './match';
import { text } from './text';

export interface Command extends Named {
  /** Its key in the Lab. */
  readonly key?: string;
  /** Why it cannot be run now: a sentence. */
  readonly why?: string | null;
  readonly act: () => void;
}

export interface CommandParts {
  readonly lab: Lab;
  /** The Lab's address as it was left. */
  readonly labHash: string;
  readonly onHelp: () => void;
}

/** Runs that are compared, latest first. */
const maxLatest = 6;

const { kinds, why } = text;

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
  const { run, setup, orders, canTrain } = parts.lab;
  const { busy, state } = run;
  const words = lab.run;
  const notReady = canTrain || orders.queue.waitsFor ? null : why.notReady;
  const obstacle = state !== 'paused' && setup.problem !== null ? words.obstacle(setup.problem) : null;
  const inLab = (name: string, key: string | undefined, reason: string | null, order: () => void): Command => ({
    ...{ name, key, why: reason, kind: kinds.run },
    act: () => (toLab(parts), order()),
  });
  const train = state === 'finished' ? words.trainAgain : words.train;
  return [
    busy
      ? inLab(words.pause, 'Space', state === 'pausing' ? parts.lab.statusText : null, () => orders.pause())
      : inLab(train, 'Space', obstacle ?? notReady, () => orders.train()),
    inLab(words.step, '.', busy ? why.busy : state === 'finished' ? why.finished : notReady, () => orders.step()),
    inLab(words.reset, 'R', state === 'idle' && !orders.queue.pressed ? why.noRun : null, () => orders.reset()),
    inLab(words.more, undefined, state === 'finished' ? notReady : why.notFinished, () => orders.extend()),
  ];
}

function pageCommands(parts: CommandParts): readonly Command[] {
  const { pages } = shell;
  const page = (name: string, hash: string, kind: string = kinds.page): Command => ({
    ...{ name, kind },
    act: () => (location.hash = hash),
  });
  return [
    page(pages.gallery, '#/'),
    { name: pages.lab, kind: kinds.page, act: () => toLab(parts) },
    page(pages.runs, '#/runs'),
    page(pages.learn, addressOf('list')),
    ...lessons.map(({ title }, i) => page(text.lesson(i + 1, title), addressOf(i + 1), kinds.lesson)),
    { name: text.compare, kind: kinds.page, act: () => void attempt(parts, compareLatest(parts)) },
  ];
}

/** Worlds open as their cards in the gallery do. */
function worldCommands({ lab: { setup } }: CommandParts): readonly Command[] {
  return (setup.catalog?.presets ?? []).map(({ name, title }) => ({
    ...{ name: title, kind: kinds.world },
    act: () => (location.hash = `#/lab?v=1&preset=${name}`),
  }));
}

function labCommands({ lab: { actions, setup, saved } }: CommandParts): readonly Command[] {
  const reason = actions ? null : why.otherPage;
  const inLab = (name: string, key: string | undefined, act: () => void, other: string | null = null): Command => ({
    ...{ name, key, kind: kinds.lab, why: reason ?? other, act },
  });
  return [
    inLab(text.chat, 'C', () => actions!.chat()),
    inLab(text.settings, undefined, () => actions!.settings!(), actions?.settings ? null : why.hidden),
    inLab(text.edit, 'E', () => actions!.edit()),
    inLab(lab.run.share, undefined, () => actions!.share(), setup.config ? null : why.notReady),
    inLab(lab.run.runs, undefined, () => actions!.savedRuns(), saved.list.length > 0 ? null : why.noRun),
    inLab(text.fit, '0', () => actions!.fit()),
  ];
}

function exportCommands(parts: CommandParts): readonly Command[] {
  const { lab } = parts;
  const kindsOfFile = Object.keys(exported.kinds) as (keyof typeof exported.kinds)[];
  return kindsOfFile.map((kind) => {
    const needs = kind === 'safetensors' && !lab.hasAgent ? why.noAgent : null;
    return {
      ...{ name: text.file(exported.kinds[kind].name), kind: kinds.export },
      why: lab.run.metrics.length === 0 ? exported.noCurve : needs,
      act: () => void attempt(parts, exportRun(lab, kind)),
    };
  });
}

function viewCommands({ onHelp }: CommandParts): readonly Command[] {
  const { present } = preferences;
  return [
    ...themes.map((theme) => ({
      ...{ name: shell.theme[theme], kind: kinds.view },
      act: () => (preferences.theme = theme),
    })),
    {
      ...{ name: present ? text.endPresent : shell.present, kind: kinds.view },
      act: () => (preferences.present = !present),
    },
    { name: text.shortcuts, kind: kinds.view, key: '?', act: onHelp },
  ];
}

function toLab({ labHash }: CommandParts): void {
  if (pageOf(location.hash) !== 'lab') location.hash = labHash;
}

async function compareLatest({ lab }: CommandParts): Promise<void> {
  const [queue, runs] = await Promise.all([lab.openQueue(), lab.api?.runs() ?? []]);
  queue.wanted = runs.slice(0, maxLatest).map(({ id }) => id);
  location.hash = '#/runs';
}

async function exportRun(lab: Lab, kind: keyof typeof exported.kinds): Promise<void> {
  const [{ saveFile }, { ofLab }] = await Promise.all([import('../export/save-file'), import('../export/sources')]);
  await saveFile(kind, () => ofLab(lab), lab.hasAgent ? async () => lab.api!.checkpoint() : null);
}

async function attempt({ lab: { failures } }: CommandParts, done: Promise<void>): Promise<void> {
  await done.catch((error: unknown) => failures.show(sentenceOf(error), null));
}
