/** An estimate cut into trajectories, their steps, and each step's action and answer. */
import type { Trajectory } from '../agent/types';
import { meanAndStd } from './episodes/groups';
import type { Algorithm, Estimate, EstimatorInput } from './algorithm';

/** Credit of one trajectory. A step's columns are its action's tokens, or the environment's that follow them. */
export interface Credit {
  /** One number for lists and charts: the mean advantage of the trajectory's agent tokens. */
  readonly advantage: number;
  /** Advantage of each token the agent wrote. [steps][action tokens] */
  readonly actions: readonly Float64Array[];
  /**
   * Advantage of each environment token that follows an action; used only where the loss mask is off. [steps][answer
   * tokens]
   */
  readonly environment: readonly Float64Array[];
  /** The critic's estimates and what it learns, over a step's action tokens, then the answer's. [steps][tokens] */
  readonly critic?: {
    readonly values: readonly Float64Array[];
    readonly returns: readonly Float64Array[];
    /** 1 where the critic learns. */
    readonly trained: readonly Uint8Array[];
  };
}

/** The estimate of each trajectory's tokens, in their order. */
export function splitBySteps(
  trajectories: readonly Trajectory[],
  { episodes, values }: EstimatorInput,
  { advantages, returns }: Estimate,
  level: Algorithm['critic'],
): Credit[] {
  return trajectories.map(({ steps }, i): Credit => {
    const trained = episodes[i].steps.map(({ mask }) =>
      Uint8Array.from(mask, (flag, t) => (level === 'step' ? Number(t === 0) : flag)),
    );
    const actions = steps.map(({ action }, k) => advantages[i][k].slice(0, action.tokens.length));
    const written = actions.flatMap((column) => Array.from(column));
    return {
      advantage: written.length === 0 ? 0 : meanAndStd(written).mean,
      actions,
      environment: steps.map(({ action }, k) => advantages[i][k].slice(action.tokens.length)),
      ...(values && returns && { critic: { values: values[i], returns: returns[i], trained } }),
    };
  });
}

/** Credit of a trajectory that is not learned from. */
export function zeroCredit({ steps }: Trajectory): Credit {
  return {
    advantage: 0,
    actions: steps.map(({ action }) => new Float64Array(action.tokens.length)),
    environment: steps.map((_, k) => new Float64Array(steps[k + 1]?.prompt.length ?? 0)),
  };
}
