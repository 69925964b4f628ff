/** The form's layout: which fields of a config are always visible, which behind the fold and under which heading. */
import type { AlgorithmInfo } from '../../../algorithms/table';
import type { Field } from '../../../config/fields';
import { text } from './text';

export const groupNames = ['model', 'algorithm', 'rollout', 'optimizer', 'warmStart'] as const;
export type GroupName = (typeof groupNames)[number];

/** What unfolds inside a group. */
export const sectionNames = ['more', 'kl', 'critic', 'shaping', 'filter', 'mistakes'] as const;
export type SectionName = (typeof sectionNames)[number];

/** Besides the preset, what is in sight before the form is unfolded. */
export const firstFields = ['algorithm.name', 'optimizer.learningRate', 'seed'] as const;

/** The few that change what one sees; the rest of a group waits behind its sections. */
const open = new Set([
  'model.pretrained.rank',
  'model.pretrained.alpha',
  'model.pretrained.targets',
  'algorithm.lossMask',
  'algorithm.advantageMask',
  'algorithm.klCoefficient',
  'rollout.tasks',
  'rollout.group',
  'rollout.temperature',
  'rollout.maxTurns',
  'iterations',
  'warmStart.demonstrations',
  'warmStart.steps',
]);

const groupOf: Readonly<Record<string, GroupName>> = {
  model: 'model',
  text: 'model',
  algorithm: 'algorithm',
  critic: 'algorithm',
  shaping: 'algorithm',
  filter: 'algorithm',
  mistakes: 'algorithm',
  context: 'rollout',
  rollout: 'rollout',
  evaluation: 'rollout',
  optimizer: 'optimizer',
  iterations: 'optimizer',
  warmStart: 'warmStart',
};

/** By field, else by the part of the config that a field is in; all others are under 'more'. */
const sectionOf: Readonly<Record<string, SectionName>> = {
  'algorithm.klPlace': 'kl',
  'algorithm.klEstimator': 'kl',
  'algorithm.klTarget': 'kl',
  'algorithm.klHorizon': 'kl',
  critic: 'critic',
  shaping: 'shaping',
  filter: 'filter',
  mistakes: 'mistakes',
};

export interface FieldSection {
  readonly name: SectionName;
  readonly fields: readonly Field[];
}

export interface FieldGroup {
  readonly name: GroupName;
  readonly open: readonly Field[];
  /** Without empty ones. */
  readonly sections: readonly FieldSection[];
}

/** Choices of a field under a heading. */
export interface ChoiceGroup {
  readonly title: string;
  readonly choices: readonly { readonly value: string; readonly title: string }[];
}

/** Algorithms by what they compare a reward with, in the order of their table. */
export function groupAlgorithms(about: Readonly<Record<string, AlgorithmInfo>>): readonly ChoiceGroup[] {
  return (['group', 'return', 'critic'] as const).map((kind) => ({
    title: text.algorithmKinds[kind],
    choices: Object.entries(about)
      .filter(([, info]) => info.kind === kind)
      .map(([value, { title }]) => ({ value, title })),
  }));
}

const elsewhere = new Set<string>([...firstFields, 'device', 'warmStart.recorded']);

/**
 * Groups in the order of the form, without the fields that are always in sight. Environment, rewards, device and the
 * recorded start have controls of their own.
 */
export function groupFields(fields: readonly Field[]): readonly FieldGroup[] {
  return groupNames.map((name) => {
    const own = fields.filter((field) => groupOf[root(field)] === name && !elsewhere.has(field.path));
    const folded = own.filter((field) => !open.has(field.path));
    const sections = sectionNames
      .map((section) => ({ name: section, fields: folded.filter((field) => section === sectionFor(field)) }))
      .filter((section) => section.fields.length > 0);
    return { name, open: own.filter((field) => open.has(field.path)), sections };
  });
}

const root = ({ path }: Field): string => path.split('.')[0];

const sectionFor = (field: Field): SectionName => sectionOf[field.path] ?? sectionOf[root(field)] ?? 'more';
