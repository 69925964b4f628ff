/** How the form arranges the fields of a config: which stand open, which under 'Advanced', which elsewhere. */
import type { Field } from '../worker/protocol';

export const groupNames = ['model', 'algorithm', 'rollout', 'optimizer', 'warmStart'] as const;
export type GroupName = (typeof groupNames)[number];

/** The few that change what one sees; the rest of a group waits behind its 'Advanced'. */
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
  rollout: 'rollout',
  evaluation: 'rollout',
  optimizer: 'optimizer',
  iterations: 'optimizer',
  warmStart: 'warmStart',
};

export interface FieldGroup {
  readonly name: GroupName;
  readonly open: readonly Field[];
  readonly advanced: readonly Field[];
}

/** Groups in the order of the form. Environment, rewards and seed have controls of their own and are left out. */
export function groupFields(fields: readonly Field[]): readonly FieldGroup[] {
  return groupNames.map((name) => {
    const own = fields.filter((field) => groupOf[field.path.split('.')[0]] === name);
    return { name, open: own.filter((field) => open.has(field.path)), advanced: own.filter((field) => !open.has(field.path)) };
  });
}
