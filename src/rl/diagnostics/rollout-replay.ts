/**
 * Logged rollouts of one iteration, played again under other code of their environment: the same tasks, the same tokens
 * and the same random numbers. So only what the code makes of them differs, its rewards above all.
 */
import type { Action, Policy, Prompt, Sampling, Trajectory } from '../../agent/types';
import { newPromptStart } from '../../algorithms/episodes/prefix';
import { samplerSlots } from '../learner/shapes';
import { environmentFailures } from '../rollouts/environment-failures';
import { firstBatch, refillBatch, type Batch } from '../rollouts/batches';
import { groupsWithSignal } from '../rollouts/filter';
import { loopOptions, type RunSetup } from '../rollouts/setup';
import type { RolloutView } from '../rollouts/view';

export interface RolloutReplay {
  /** In the order given, with the rewards of the other code. One that went another way is as it was logged. */
  readonly rollouts: readonly RolloutView[];
  /** Rollouts that went another way, because the code changes their task or what the agent saw. */
  readonly parted: number;
  /** Rollouts in which the other code failed, and why it did most often. */
  readonly failures: ReturnType<typeof environmentFailures>;
}

/**
 * @param setup of the run's config with the other code
 * @param rollouts of one iteration; where it refilled groups more than once, all of them
 */
export async function replayRollouts(setup: RunSetup, rollouts: readonly RolloutView[]): Promise<RolloutReplay> {
  const played = new Map<RolloutView, Trajectory>();
  for (const part of partsOf(setup, rollouts))
    for (const [view, trajectory] of await play(setup, part))
      if (isSame(trajectory, view)) played.set(view, trajectory);
  return {
    rollouts: rollouts.map((view) => (played.has(view) ? rewarded(view, played.get(view)!) : view)),
    parted: rollouts.length - played.size,
    failures: environmentFailures([...played.values()]),
  };
}

/** A batch of an iteration, with what was logged of it. */
interface LoggedBatch extends Batch {
  readonly iteration: number;
  readonly firstGroup: number;
  readonly tasks: number;
  readonly rollouts: readonly RolloutView[];
}

/** The iteration's first batch, then those that refilled it, as far as they were logged. */
function partsOf({ config }: RunSetup, rollouts: readonly RolloutView[]): LoggedBatch[] {
  const iteration = rollouts[0]?.iteration ?? 1;
  const parts: LoggedBatch[] = [];
  let firstGroup = 0;
  const isLogged = () => rollouts.some(({ group }) => group >= firstGroup);
  const add = (batch: Batch) => {
    const earlier = rollouts.filter(({ group }) => group < firstGroup);
    const tasks = config.rollout.tasks - groupsWithSignal(earlier).length;
    const end = firstGroup + tasks;
    const logged = rollouts.filter(({ group }) => group >= firstGroup && group < end);
    parts.push({ ...batch, iteration, firstGroup, tasks, rollouts: logged });
    firstGroup = end;
  };
  if (isLogged()) add(firstBatch(config, iteration));
  for (let round = 0; round < config.filter.refill && isLogged(); round++) add(refillBatch(config, iteration, round));
  return parts;
}

/** Plays a whole batch, since its random numbers depend on the place in it. What is not logged says nothing. */
async function play(setup: RunSetup, part: LoggedBatch): Promise<[RolloutView, Trajectory][]> {
  const { config, client } = setup;
  const { group: size, temperature, topK, topP } = config.rollout;
  const { taskSeed, start, seed, iteration, firstGroup, rollouts } = part;
  const tasks = await client.tasks('train', taskSeed, start, part.tasks, config.environment.options);
  const attempts = tasks.flatMap((task, t) => Array.from({ length: size }, () => ({ task, group: firstGroup + t })));
  const placeOf = ({ index }: RolloutView) => index - firstGroup * size;
  const policy = new LoggedPolicy(new Map(rollouts.map((view) => [placeOf(view), view])), setup);
  const trajectories = await setup.loop().run(attempts, policy, {
    ...loopOptions(setup, { temperature, topK, topP, seed, iteration }),
    onBegin: () => policy.begin(),
  });
  return rollouts.map((view) => [view, trajectories[placeOf(view)]]);
}

/** Says what the log says, at its place in the batch. */
class LoggedPolicy implements Policy {
  readonly slots: number;
  readonly contextLength: number;
  private begun = 0;
  private readonly turns = new Map<RolloutView, number>();

  /** @param logged rollouts by their place in the batch */
  constructor(
    private readonly logged: ReadonlyMap<number, RolloutView>,
    { config, model }: RunSetup,
  ) {
    this.slots = samplerSlots(config, model);
    this.contextLength = config.model.context;
  }

  /** Call when an episode has begun: slots count from the first one of its wave. */
  begin(): void {
    this.begun++;
  }

  sample(prompts: readonly Prompt[], { stopTokens }: Sampling): Promise<Action[]> {
    const first = (Math.ceil(this.begun / this.slots) - 1) * this.slots;
    return Promise.resolve(prompts.map(({ slot }) => this.next(this.logged.get(first + slot), stopTokens)));
  }

  private next(view: RolloutView | undefined, stopTokens: readonly number[]): Action {
    const turn = view ? (this.turns.get(view) ?? 0) : 0;
    if (view) this.turns.set(view, turn + 1);
    const { tokens, logProbs, entropies } = view?.steps[turn] ?? endOnly(stopTokens);
    const stop = stopTokens.includes(tokens.at(-1)!) ? 'stop' : 'length';
    return { tokens, logProbs, entropies, text: '', stop };
  }
}

const endOnly = (stopTokens: readonly number[]) => ({ tokens: stopTokens.slice(0, 1), logProbs: [0], entropies: [0] });

/** Whether the agent saw what it had seen, from the first token to the last. */
function isSame({ task, steps }: Trajectory, view: RolloutView): boolean {
  return (
    task.id === view.taskId &&
    steps.length === view.steps.length &&
    steps.every(({ prompt }, k) => {
      const { continues, promptTokens } = view.steps[k];
      const start = newPromptStart(steps, k);
      return start > 0 === continues && String(prompt.slice(start)) === String(promptTokens);
    })
  );
}

function rewarded(view: RolloutView, { reward, success, end, steps }: Trajectory): RolloutView {
  const scored = view.steps.map((step, k) => ({ ...step, rewards: steps[k].rewards, toolCalls: steps[k].toolCalls }));
  return { ...view, reward, success, end, steps: scored };
}
