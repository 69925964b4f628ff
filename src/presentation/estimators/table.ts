/** A group of rollouts under every estimator as a table: rows, tinted cells, hints and notes. Pure. */
import type { Comparison, EstimatorColumn, MeanCredit, RolloutCredit } from '../../rl/diagnostics/comparison';
import type { RolloutView } from '../../rl/rollouts/view';
import { fullTintPercent } from '../token-cells';
import { keyOf, sameGroup, type Placed } from '../../share/rollout-groups';
import { signed } from '../../lib/format';
import { text } from './text';

/** What the table needs of a rollout. */
export interface Member extends Placed {
  readonly reward: number;
  /** Absent where nobody said whether the task was solved. */
  readonly success?: boolean;
  readonly steps: readonly { readonly tokens: { readonly length: number } }[];
}

/** Advantages of a batch under every estimator, and what was trained with. */
export type Credited = Pick<Comparison, 'columns' | 'trained'>;

/** A comparison and its input. */
export interface Compared<M extends Member = RolloutView, C extends Credited = Comparison> {
  /** One iteration's rollouts. */
  readonly batch: readonly M[];
  /** The rollout that was open at the comparison. */
  readonly rollout: M;
  readonly comparison: C;
  /** Rollouts of other groups were compared too, and are not in the batch. */
  readonly others?: boolean;
}

export interface Cell {
  readonly text: string;
  readonly tone: 'up' | 'down' | 'none';
  /** Share of the tone's colour in the ground. */
  readonly tintPercent: number;
}

export interface TableRow<M extends Member = RolloutView> {
  readonly key: string;
  readonly rollout: M;
  /** From 1; null in the row of the whole rollout. */
  readonly step: number | null;
  /** What the run trained with, then each estimator. */
  readonly cells: readonly Cell[];
}

export interface Table<M extends Member = RolloutView> {
  /** The rollout being read, or the one that was read when its iteration has not been compared yet. */
  readonly read: M;
  readonly group: readonly M[];
  readonly rows: readonly TableRow<M>[];
  /** Columns under which the steps of the one being read differ. */
  readonly stepwise: readonly EstimatorColumn[];
}

type Credits = readonly RolloutCredit[] | null;

export function tableOf<M extends Member>({ batch, rollout, comparison }: Compared<M, Credited>, wanted: M): Table<M> {
  const read = batch.find((each) => keyOf(each) === keyOf(wanted)) ?? rollout;
  const group = batch.filter((each) => sameGroup(each, read));
  const columns: readonly Credits[] = [comparison.trained, ...comparison.columns.map(({ credits }) => credits)];
  const at = batch.indexOf(read);
  const stepwise = comparison.columns.filter(({ credits }) => stepsDiffer(credits?.[at]));
  const places = group.flatMap((member): { rollout: M; i: number; step: number | null }[] => {
    const i = batch.indexOf(member);
    const steps =
      member === read && stepwise.length > 0 ? member.steps.map((_, k) => ({ rollout: member, i, step: k + 1 })) : [];
    return [{ rollout: member, i, step: null }, ...steps];
  });
  const found = places.map(({ i, step }) => columns.map((credits) => creditAt(credits, i, step)));
  const strongest = columns.map((_, c) => Math.max(0, ...found.map((row) => Math.abs(row[c]?.mean ?? 0))));
  const rows = places.map((place, r): TableRow<M> => ({
    key: `${keyOf(place.rollout)}/${place.step ?? ''}`,
    rollout: place.rollout,
    step: place.step,
    cells: found[r].map((credit, c) => cellOf(credit, strongest[c])),
  }));
  return { read, group, rows, stepwise };
}

function creditAt(credits: Credits, i: number, step: number | null): MeanCredit | null {
  const rollout = credits?.[i];
  return (step === null ? rollout?.whole : rollout?.steps[step - 1]) ?? null;
}

function stepsDiffer(credit: RolloutCredit | undefined): boolean {
  const means = credit?.steps.flatMap((step) => step?.mean ?? []) ?? [];
  return means.some((mean) => signed(mean) !== signed(means[0]));
}

/** Anything that does not read as 0 shows at least a trace of its tone. */
function cellOf(credit: MeanCredit | null, strongest: number): Cell {
  if (!credit) return { text: text.nothing, tone: 'none', tintPercent: 0 };
  const { mean, even } = credit;
  const words = signed(mean);
  const share = words === '0.00' ? 0 : Math.max(0.1, Math.abs(mean) / strongest);
  return {
    text: even ? words : `${words}~`,
    tone: share === 0 ? 'none' : mean < 0 ? 'down' : 'up',
    tintPercent: Math.round(share * fullTintPercent),
  };
}

/** What to look for in this table. */
export function hintsOf<M extends Member>(
  { batch, comparison, others = false }: Compared<M, Credited>,
  { group, read, stepwise }: Table<M>,
): readonly string[] {
  const { look } = text;
  const hints: string[] = [];
  const here = comparison.columns.filter(({ credits }) => credits !== null);
  const silent = here.filter(({ credits }) => group.every((each) => isZero(credits![batch.indexOf(each)])));
  const equal = group.every(({ reward }) => reward === group[0].reward);
  if (group.length === 1) hints.push(look.alone);
  else if (!equal) hints.push(look.differ);
  else if (silent.length > 0)
    hints.push(look.equal(group.length, silent.length === here.length ? look.every : namesOf(silent)));
  if (others || !batch.every((each) => sameGroup(each, read))) hints.push(look.batch);
  if (read.steps.length > 1) hints.push(stepwise.length === 0 ? look.sameTurns : look.turns(namesOf(stepwise)));
  return hints;
}

const isZero = ({ steps }: RolloutCredit): boolean =>
  steps.every((step) => step === null || (step.even && step.mean === 0));
const namesOf = (columns: readonly EstimatorColumn[]): string => columns.map(({ short }) => short).join(', ');

/** Conditions of the numbers: the part of the batch that is here, the settings, and what is missing. */
export function notesOf({ batch, comparison }: Compared, { group }: Pick<Table, 'group'>): readonly string[] {
  const { planned, settings, columns, differs, mistakes } = comparison;
  const { notes } = text;
  return [
    batch.length < planned.rollouts ? notes.part(batch.length, planned.rollouts) : notes.whole(batch.length),
    ...(group.length < planned.group ? [notes.partOfGroup(group.length, planned.group)] : []),
    notes.settings(settings.gamma, settings.lambda, settings.turnGamma),
    ...mistakes.map(notes.mistake),
    ...differs.map((each) => text.differs[each]),
    ...columns.flatMap(({ name, missing }) => (missing === undefined ? [] : [notes.missing(name, missing)])),
  ];
}
