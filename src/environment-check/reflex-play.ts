/** Plays a fitted reflex as an agent, and says what it solves. */
import type { EnvironmentClient } from '../agent/environment-client';
import type { Action, Policy, Prompt, Step, Task, Trajectory } from '../agent/types';
import type { RunSetup } from '../rl/rollouts/setup';
import { special, specialTokens } from '../text/tokenizer';
import { playOptions, playScript } from './play';
import { act, fitReflex, type Example, type Reflex, type Shown, type Turn } from './reflex';
import type { ReportLine } from './report';

/** Most looks of a reflex at what was shown. */
const mostLooks = 4;

/**
 * Fits reflexes to the first half of `tasks`, chooses among them on the second half, and reports what the best solves
 * of `heldOut`. No line where nobody can be imitated.
 */
export async function reflexLines(
  setup: RunSetup,
  client: EnvironmentClient,
  tasks: readonly Task[],
  heldOut: readonly Task[],
): Promise<ReportLine[]> {
  const { policies = [] } = setup.description;
  const shown = await playScript(setup, client, tasks, policies.includes('oracle') ? 'oracle' : undefined);
  const half = Math.ceil(tasks.length / 2);
  const tried = fitReflex(shown.slice(0, half).flatMap(examplesOf(setup)), mostLooks);
  const solved: number[] = [];
  for (let looks = 0; looks <= mostLooks; looks++)
    solved.push(countSolved(await playReflex(setup, tasks.slice(half), tried, looks)));
  const looks = solved.indexOf(Math.max(...solved));
  const reflex = fitReflex(shown.flatMap(examplesOf(setup)), looks);
  const count = countSolved(await playReflex(setup, heldOut, reflex, looks));
  const depends =
    looks === 0 ? 'at a prompt or after a result' : `by ${looks} ${looks === 1 ? 'look' : 'looks'} at words shown last`;
  const text =
    `A reflex solves ${count} of ${heldOut.length} validation tasks: it does what the oracle does most often, ` +
    `${depends}.`;
  return [{ kind: count > heldOut.length / 2 ? 'note' : 'good', text }];
}

const countSolved = (trajectories: readonly Trajectory[]): number =>
  trajectories.filter(({ success }) => success).length;

const playReflex = (setup: RunSetup, tasks: readonly Task[], reflex: Reflex, looks: number): Promise<Trajectory[]> =>
  setup.loop().run(
    tasks.map((task, group) => ({ task, group })),
    new ReflexPolicy(setup, tasks, reflex, looks),
    { ...playOptions(setup), maxTurns: setup.config.rollout.maxTurns },
  );

/** The turns of a trajectory that can be read. */
const examplesOf =
  (setup: RunSetup) =>
  ({ task, steps }: Trajectory): Example[] =>
    steps.flatMap((step) => {
      const turn = turnOf(setup, step);
      return turn === null ? [] : [{ shown: shownIn(setup, task, step.prompt), turn }];
    });

function turnOf({ format, description, model }: RunSetup, { observation, action }: Step): Turn | null {
  const parsed = format.parse(action.tokens, description.tools, model.tokenizer);
  if (observation.summary || parsed.kind === 'unreadable') return null;
  if (parsed.kind === 'answer') return { answer: parsed.text };
  const calls = parsed.calls.flatMap((call) => ('name' in call ? [call] : []));
  return calls.length === parsed.calls.length ? { calls } : null;
}

/** The last message of a prompt is what was shown. */
function shownIn({ model }: RunSetup, { prompt }: Task, tokens: readonly number[]): Shown {
  const end = tokens.lastIndexOf(special['<end>']);
  const begin = tokens.slice(0, end).findLastIndex((id) => id < specialTokens.length);
  return { prompt, last: model.tokenizer.decode(tokens.slice(begin + 1, end)) };
}

class ReflexPolicy implements Policy {
  readonly slots: number;
  readonly contextLength: number;

  constructor(
    private readonly setup: RunSetup,
    private readonly tasks: readonly Task[],
    private readonly reflex: Reflex,
    private readonly looks: number,
  ) {
    this.slots = Math.max(1, tasks.length);
    ({ contextLength: this.contextLength } = playOptions(setup));
  }

  sample(prompts: readonly Prompt[]): Promise<Action[]> {
    return Promise.resolve(
      prompts.map((prompt) => {
        const tokens = this.tokensOf(prompt);
        const zeros = tokens.map(() => 0);
        return { tokens, logProbs: zeros, entropies: zeros, text: '', stop: 'stop' as const };
      }),
    );
  }

  /** What cannot be written is an empty answer. */
  private tokensOf({ slot, tokens, suggestion }: Prompt): number[] {
    const { format, model, description } = this.setup;
    const { tokenizer } = model;
    if (suggestion !== undefined) return format.encodeAnswer(suggestion, tokenizer);
    const turn = act(this.reflex, shownIn(this.setup, this.tasks[slot], tokens), this.looks);
    try {
      if ('answer' in turn) return format.encodeAnswer(turn.answer, tokenizer);
      return format.encodeCalls(turn.calls, description.tools, tokenizer);
    } catch {
      return format.encodeAnswer('', tokenizer);
    }
  }
}
