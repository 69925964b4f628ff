/**
 * The Open Reward Standard, as the reference server of its Python SDK answers (`openreward` 0.1.167,
 * `openreward.environments.server`). A server has one world, so each route means it, whatever name stands before it.
 *
 * It differs where clients need it: an equal `/create` is answered again, because clients repeat what they got no
 * answer to; a result is one event, because clients drop spaces at the beginning of each.
 */
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { firstIssue } from '../../lib/first-issue';
import type { Json } from '../../lib/json';
import type { Image } from '../../text/image';
import { busy, ok, Refusal, type Answer, type EventsAnswer, type ServeRequest } from './answer';
import { answerTool } from './answer-tool';
import { TooManyCalls, type Reply, type ServedEpisode } from './episode';
import { pngOf } from './png';
import type { Sessions } from './sessions';
import type { ServedSplit, ServedWorld, TaskSpec } from './world';

/** Results stay this long for a client that lost its connection. */
const lingerMs = 60_000;
const maxIdLength = 128;

/** A call that runs or ran, by its `task_id`. */
interface SentCall {
  readonly text: Promise<string>;
  doneMs?: number;
}

/** A session of a client. */
class OrsSession {
  readonly calls = new Map<string, SentCall>();

  constructor(
    /** What it was created with, as JSON. */
    readonly source: string,
    readonly episode: Promise<ServedEpisode>,
  ) {}
}

const index = v.pipe(v.number(), v.integer());
const text = v.string();
const object = v.custom<{ readonly [key: string]: Json }>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'it must be an object',
);
const splitBody = v.object({ split: text });
const taskBody = v.object({ split: text, index });
const rangeBody = v.object({ split: text, start: v.nullish(index), stop: v.nullish(index) });
const callBody = v.object({ name: text, input: object, task_id: v.nullish(text) });
const createBody = v.pipe(
  v.object({ task_spec: v.nullish(object), split: v.nullish(text), index: v.nullish(index) }),
  v.check(
    ({ task_spec: spec, split, index: at }) => (spec == null) === (split != null && at != null),
    'give either task_spec or both split and index',
  ),
  v.check(({ split, index: at }) => (split == null) === (at == null), 'split and index belong together'),
);
const specBody = v.object({ split: text, index, id: v.optional(text) });

export class OpenRewardRoutes {
  constructor(
    private readonly world: ServedWorld,
    private readonly sessions: Sessions,
    /** Of the program. */
    private readonly version: string,
  ) {}

  /** Null if the Open Reward Standard has no such route. @throws Refusal */
  answer(request: ServeRequest): Promise<Answer> | Answer | null {
    const route = `${request.method} ${request.path.at(-1) ?? ''}`;
    if (!Object.hasOwn(routes, route)) return null;
    return routes[route].call(this, request);
  }

  tools(): Answer {
    return ok({
      tools: this.world.tools.map(({ name, description, parameters }) => {
        return { name, description, input_schema: parameters };
      }),
      terminal_tool: { name: answerTool.name, arg: 'text', description: answerTool.description },
      supports_score_group: false,
      message_block_types: ['text', 'image'],
    });
  }

  splits(): Answer {
    return ok(this.world.splits.map(({ name, type }) => ({ name, type })));
  }

  numTasks({ body }: ServeRequest): Answer {
    return ok({ num_tasks: this.splitOf(read(splitBody, body).split).count });
  }

  async task({ body }: ServeRequest): Promise<Answer> {
    const { split, index: at } = read(taskBody, body);
    return ok({ task: await this.spec(this.splitOf(split), at), env_name: this.world.name });
  }

  async tasks({ body }: ServeRequest): Promise<Answer> {
    const split = this.splitOf(read(splitBody, body).split);
    return this.range(split, 0, split.count);
  }

  /** As Python slices a list. */
  async taskRange({ body }: ServeRequest): Promise<Answer> {
    const { split: name, start, stop } = read(rangeBody, body);
    const split = this.splitOf(name);
    const place = (at: number) => Math.min(split.count, at < 0 ? Math.max(0, split.count + at) : at);
    return this.range(split, place(start ?? 0), place(stop ?? split.count));
  }

  createSession(): EventsAnswer {
    return { taskId: randomUUID(), text: Promise.resolve('') };
  }

  async create(request: ServeRequest): Promise<Answer> {
    const sid = idOf(request);
    const { task_spec: spec, split, index: at } = read(createBody, request.body);
    const given = spec == null ? { split: split!, index: at! } : read(specBody, spec);
    const served = this.splitOf(given.split);
    const source = JSON.stringify([given.split, given.index]);
    const earlier = this.session(sid);
    if (earlier && earlier.source !== source)
      throw new Refusal(400, 'Session already exists, with another task: begin another one with /create_session.');
    if (!earlier) {
      await this.requireTask(served, given);
      if (!this.session(sid)) this.open(sid, source, served, given.index);
    }
    await this.episodeOf(sid);
    return ok({ sid });
  }

  async prompt(request: ServeRequest): Promise<Answer> {
    const episode = await this.episodeOf(idOf(request));
    return ok(blocks(episode.prompt, episode.image));
  }

  async messages(request: ServeRequest): Promise<Answer> {
    const { system } = this.world.description;
    const episode = await this.episodeOf(idOf(request));
    const user = { role: 'user', blocks: blocks(episode.prompt, episode.image), detail: null };
    return ok(system === undefined ? [user] : [{ role: 'system', blocks: blocks(system), detail: null }, user]);
  }

  async taskTools(request: ServeRequest): Promise<Answer> {
    await this.episodeOf(idOf(request));
    return this.tools();
  }

  async call(request: ServeRequest): Promise<Answer> {
    const sid = idOf(request);
    const { name, input, task_id: resent } = read(callBody, request.body);
    const episode = await this.episodeOf(sid);
    const calls = this.session(sid)?.calls;
    if (!calls) throw notFound();
    for (const [id, { doneMs = Infinity }] of calls) if (performance.now() - doneMs > lingerMs) calls.delete(id);
    if (resent != null)
      return { taskId: resent, text: calls.get(resent)?.text ?? Promise.reject(new Error('unknown task_id')) };
    const taskId = randomUUID().replaceAll('-', '');
    const sent: SentCall = { text: sendCall(episode, name, input) };
    calls.set(taskId, sent);
    const done = () => (sent.doneMs = performance.now());
    sent.text.then(done, done);
    return { taskId, text: sent.text };
  }

  ping(request: ServeRequest): Answer {
    if (!this.session(idOf(request))) throw notFound();
    return ok({ status: 'ok' });
  }

  remove(request: ServeRequest): Answer {
    const sid = idOf(request);
    this.sessions.delete(sid);
    return ok({ sid });
  }

  health(): Answer {
    return ok({ status: 'ok' });
  }

  names(): Answer {
    return ok([this.world.name]);
  }

  about(): Answer {
    return ok({ version: this.version, build_sha: null });
  }

  private splitOf(name: string): ServedSplit {
    const split = this.world.split(name);
    const names = this.world.splits.map((each) => each.name).join(', ');
    if (!split) throw new Refusal(400, `Invalid split: there is ${names}.`);
    return split;
  }

  private async requireTask(split: ServedSplit, { index: at, id }: v.InferOutput<typeof specBody>): Promise<void> {
    const spec = await this.spec(split, at);
    if (id !== undefined && id !== spec.id)
      throw new Refusal(400, 'Invalid task: this server has another one at its place. Ask it for its tasks anew.');
  }

  private spec(split: ServedSplit, at: number): Promise<TaskSpec> {
    if (at < 0 || at >= split.count)
      throw new Refusal(400, `Invalid index: the tasks of ${split.name} are 0 to ${split.count - 1}.`);
    return this.world.spec(split, at);
  }

  private async range(split: ServedSplit, start: number, stop: number): Promise<Answer> {
    const tasks: Json[] = [];
    for (let at = start; at < stop; at++) tasks.push(await this.spec(split, at));
    return ok({ tasks, env_name: this.world.name });
  }

  private open(sid: string, source: string, split: ServedSplit, at: number): void {
    this.sessions.requireRoom();
    const session = new OrsSession(source, this.world.begin(split, at));
    // Whoever awaits it hears of the fault.
    session.episode.catch(() => this.sessions.delete(sid));
    this.sessions.add(sid, session);
  }

  private session(sid: string): OrsSession | undefined {
    return this.sessions.get(sid, OrsSession);
  }

  private async episodeOf(sid: string): Promise<ServedEpisode> {
    const session = this.session(sid);
    if (!session) throw notFound();
    return session.episode;
  }
}

type Route = (this: OpenRewardRoutes, request: ServeRequest) => Promise<Answer> | Answer;

/** By the last part of the path. */
const routes: Readonly<Record<string, Route>> = {
  'GET health': OpenRewardRoutes.prototype.health,
  'GET version': OpenRewardRoutes.prototype.about,
  'GET list_environments': OpenRewardRoutes.prototype.names,
  'GET tools': OpenRewardRoutes.prototype.tools,
  'GET splits': OpenRewardRoutes.prototype.splits,
  'POST num_tasks': OpenRewardRoutes.prototype.numTasks,
  'POST task': OpenRewardRoutes.prototype.task,
  'POST tasks': OpenRewardRoutes.prototype.tasks,
  'POST task_range': OpenRewardRoutes.prototype.taskRange,
  'POST create_session': OpenRewardRoutes.prototype.createSession,
  'POST create': OpenRewardRoutes.prototype.create,
  'GET prompt': OpenRewardRoutes.prototype.prompt,
  'GET messages': OpenRewardRoutes.prototype.messages,
  'GET task_tools': OpenRewardRoutes.prototype.taskTools,
  'POST call': OpenRewardRoutes.prototype.call,
  'POST ping': OpenRewardRoutes.prototype.ping,
  'POST delete': OpenRewardRoutes.prototype.remove,
  'POST delete_session': OpenRewardRoutes.prototype.remove,
};

/** Content of a message or a result. */
export function blocks(shown: string, image?: Image): Json[] {
  const picture = image && { data: pngOf(image), mimeType: 'image/png', detail: null, type: 'image' };
  return [{ text: shown, detail: null, type: 'text' }, ...(picture ? [picture] : [])];
}

/** The result of a call as one line of JSON. @throws Refusal */
function sendCall(episode: ServedEpisode, name: string, input: Json): Promise<string> {
  try {
    return episode.call(name, input).then((reply) => JSON.stringify(resultOf(reply)));
  } catch (error) {
    throw error instanceof TooManyCalls ? busy(error.message) : error;
  }
}

function resultOf(reply: Reply): Json {
  if (reply.kind !== 'result') return { ok: false, error: reply.sentence, reason: 'episode_finished' };
  const { text: shown, image, metadata, reward, finished } = reply;
  return { ok: true, output: { blocks: blocks(shown, image), metadata, reward, finished } };
}

function idOf({ header }: ServeRequest): string {
  const id = header('x-session-id')?.trim() ?? '';
  if (id === '' || id.length > maxIdLength)
    throw new Refusal(400, `The header X-Session-ID must be given, with at most ${maxIdLength} characters.`);
  return id;
}

const notFound = (): Refusal => new Refusal(404, 'Active environment not found: there is no session of this id.');

/** @throws Refusal if the body is of another shape */
function read<T>(schema: v.GenericSchema<unknown, T>, body: unknown): T {
  const result = v.safeParse(schema, body);
  if (!result.success) throw new Refusal(422, `The body is not as expected: ${firstIssue(result.issues)}.`);
  return result.output;
}
