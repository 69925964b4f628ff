/** One message to the current agent, answered greedily with live tool calls. */
import type { LiveStep } from '../../agent/flow';
import type { Content, EndReason, Image, Policy, Task, ToolCall, Trajectory } from '../../agent/types';
import { log } from '../../lib/portable-math';
import { imagesIn, textOf } from '../../text/image';
import { seedOf } from './batches';
import { environmentFailures } from './environment-failures';
import { loopOptions, type RunSetup } from './setup';

export type ChatEvent =
  /** What the world shows before the agent acts. */
  | { readonly type: 'seen'; readonly text: string; readonly images: readonly Image[] }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool'; readonly call: ToolCall }
  /** `solved` is null where nobody can say: the message is no task of the environment. */
  | { readonly type: 'done'; readonly answer: string | null; readonly solved: boolean | null; readonly end: EndReason };

export type ChatListener = (event: ChatEvent) => void;

/** Held-out tasks among which a message is looked for. */
const validationTasks = 16;

/** A sampler of the chat's own, so that the caches of rollouts stay as they are. */
export type ChatPolicy = Policy & { clearCache(): void };

/** Tasks among which messages are looked for: held-out ones, then the run's first. */
export async function chatTasks({ config, client }: RunSetup): Promise<readonly Task[]> {
  const { options } = config.environment;
  const heldOut = await client.tasks('validation', 0, 0, validationTasks, options);
  return [...heldOut, ...(await client.tasks('train', seedOf('tasks', config), 0, config.rollout.tasks, options))];
}

/**
 * The world in which to ask a message that is no task's prompt: that of the task whose prompt shares most words with
 * it, each word weighted by its inverse document frequency; of equals the first. So a question about prices is asked of
 * a table that has prices.
 */
function nearest(tasks: readonly Task[], message: string): Task {
  const prompts = tasks.map(({ prompt }) => new Set(prompt.split(' ')));
  const weights = new Map(
    message.split(' ').map((word) => {
      const count = prompts.filter((words) => words.has(word)).length;
      return [word, count === 0 ? 0 : log(tasks.length / count)];
    }),
  );
  const shared = prompts.map((words) => [...weights].reduce((sum, [word, w]) => sum + (words.has(word) ? w : 0), 0));
  return tasks[shared.indexOf(Math.max(...shared))];
}

/** @param tasks those of `chatTasks` @returns the episode. Rejects with the reason if the world failed unanswered */
export async function chatWith(
  setup: RunSetup,
  tasks: readonly Task[],
  sampler: ChatPolicy,
  message: string,
  listener: ChatListener,
): Promise<Trajectory> {
  sampler.clearCache();
  const known = tasks.find(({ prompt }) => prompt === message);
  const task = known ?? { ...nearest(tasks, message), id: 'chat', prompt: message };
  const onTurn = (steps: readonly LiveStep[]) => {
    for (const { step } of steps) {
      listener({ type: 'text', text: step.action.text });
      for (const call of step.toolCalls) listener({ type: 'tool', call });
    }
  };
  const onBegin = (seen: readonly Content[]) =>
    seen.forEach((content) => listener({ type: 'seen', text: textOf(content), images: imagesIn(content) }));
  const options = { ...loopOptions(setup), onTurn, onBegin };
  const [episode] = await setup.loop().run([{ task, group: 0 }], sampler, options);
  const { answer = null, end, success } = episode;
  const failure = answer === null ? environmentFailures([episode]) : null;
  if (failure !== null) throw new Error(`The environment failed: ${failure.reason}`);
  const solved = known && (end === 'answer' || end === 'done') ? success : null;
  listener({ type: 'done', answer, solved, end });
  return episode;
}
