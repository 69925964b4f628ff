/** The form's layout: which fields of a config are always visible, which under a heading, which elsewhere. */
import type { Field } from '../../rl/config/fields';

export const groupNames = ['model', 'algorithm', 'rollout', 'optimizer', 'warmStart'] as const;
export type GroupName = (typeof groupNames)[number];

/** What unfolds inside a group. */
export const sectionNames = ['more', 'kl', 'critic', 'shaping', 'filter', 'mistakes'] as const;
export type SectionName = (typeof sectionNames)[number];

/** The few that change what one sees; the rest of a group waits behind its sections. */
const open = new Set([
  'algorithm.name',
  'algorithm.lossMask',
  'algorithm.advantageMask',
  'algorithm.klCoefficient',
  'rollout.tasks',
  'rollout.group',
  'rollout.temperature',
  'rollout.maxTurns',
  'optimizer.learningRate',
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

/**
 * Groups in the order of the form. Environment, rewards, seed, device and the recorded start have controls of their own
 * and are left out.
 */
export function groupFields(fields: readonly Field[]): readonly FieldGroup[] {
  return groupNames.map((name) => {
    const own = fields.filter((field) => groupOf[root(field)] === name && field.path !== 'warmStart.recorded');
    const folded = own.filter((field) => !open.has(field.path));
    const sections = sectionNames
      .map((section) => ({ name: section, fields: folded.filter((field) => section === sectionFor(field)) }))
      .filter((section) => section.fields.length > 0);
    return { name, open: own.filter((field) => open.has(field.path)), sections };
  });
}

const root = ({ path }: Field): string => path.split('.')[0];

const sectionFor = (field: Field): SectionName => sectionOf[field.path] ?? sectionOf[root(field)] ?? 'more';
