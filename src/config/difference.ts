/** In which settings configs differ, each named as the setup names it. Pure. */
import { formatSetting } from '../lib/amounts';
import { leaves, type Leaf } from '../lib/leaves';
import type { RunConfig } from './config';
import type { Field } from './fields';

const words = {
  none: '–',
  on: 'on',
  off: 'off',
  version: (letter: string) => `version ${letter}`,
  option: (name: string) => `Option of the world: ${name}`,
};

/** Of the weight of a reward term. */
export const rewardTitle = (name: string): string => `Reward weight: ${name}`;

/** Settings that the catalog of fields does not list. */
const unlisted: Readonly<Record<string, string>> = {
  'environment.name': 'World',
  'environment.source': 'Code of the world',
  'environment.rows': 'Rows of data',
  'environment.rowsDigest': 'Rows of data',
  'warmStart.rounds': 'Rounds that teach',
};

export interface Difference {
  readonly path: string;
  readonly title: string;
  /** One a config, in their order. */
  readonly values: readonly string[];
}

/** Every setting in which not all are equal, in the order of the catalog; what the catalog lacks comes first. */
export function configDiff(configs: readonly RunConfig[], fields: readonly Field[]): Difference[] {
  const columns = configs.map((config) => leaves(config));
  const paths = [...new Set(columns.flatMap((column) => [...column.keys()]))];
  const place = new Map(fields.map(({ path }, i) => [path, i]));
  return paths
    .filter((path) => columns.some((column) => column.get(path) !== columns[0].get(path)))
    .sort((a, b) => (place.get(a) ?? -1) - (place.get(b) ?? -1))
    .map((path) => ({
      path,
      title: fields[place.get(path) ?? -1]?.title ?? titleOf(path),
      values: columns.map((column) => written(path, column.get(path), columns)),
    }));
}

/** What differs in the first two of runs in words: `Learning rate 0.001 → 0.002`. */
export function changeWords(differences: readonly Difference[]): string {
  return differences.map(({ title, values: [from, to] }) => `${title} ${from} → ${to}`).join(', ');
}

function titleOf(path: string): string {
  const own = /^(environment\.options|rewards)\.(.*)$/.exec(path);
  if (own) return own[1] === 'rewards' ? rewardTitle(own[2]) : words.option(own[2]);
  return unlisted[path] ?? path;
}

/** Code, rows and rounds are too long for a cell: equal ones get one letter. */
function written(path: string, value: Leaf | undefined, columns: readonly ReadonlyMap<string, Leaf>[]): string {
  if (value === undefined) return words.none;
  if (typeof value === 'boolean') return value ? words.on : words.off;
  if (typeof value === 'number') return formatSetting(value);
  if (!/^(environment\.(source|rows|rowsDigest)|warmStart\.rounds)$/.test(path)) return value;
  const versions = [...new Set(columns.flatMap((column) => column.get(path) ?? []))];
  return words.version('ABCDEF'[versions.indexOf(value)]);
}
