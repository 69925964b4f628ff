/** A sandbox whose environment has tools of the host: their calls leave it, all else stays inside. */
import type { Sandbox, SandboxRequest, Verdict } from '../../agent/sandbox';
import type { Json } from '../../lib/json';
import type { HostTools } from './tools';

/** What `describe` gives, as far as it is read here; an environment may give anything. */
interface Described {
  readonly tools?: Json;
  readonly hostTools?: Json;
  readonly hooks?: Json;
}

export class HostSandbox implements Sandbox {
  private names: ReadonlySet<string> = new Set();

  constructor(
    private readonly inner: Sandbox,
    private readonly host: HostTools,
  ) {}

  load(source: string, rows?: string): Promise<void> {
    this.names = new Set();
    return this.inner.load(source, rows);
  }

  async call(requests: readonly SandboxRequest[]): Promise<Verdict[]> {
    const isOfHost = requests.map((request) => this.isOfHost(request));
    const inside = requests.filter((_, i) => !isOfHost[i]);
    const [verdicts, answers] = await Promise.all([
      inside.length > 0 ? this.inner.call(inside) : [],
      Promise.all(requests.filter((_, i) => isOfHost[i]).map((request) => this.host.answer(request))),
    ]);
    const [guest, host] = [verdicts.values(), answers.values()];
    return requests.map(({ method }, i) => {
      const verdict = (isOfHost[i] ? host : guest).next().value!;
      return method === 'describe' && verdict.kind === 'value'
        ? { ...verdict, value: this.described(verdict.value) }
        : verdict;
    });
  }

  dispose(): void {
    this.inner.dispose();
  }

  private isOfHost({ method, args }: SandboxRequest): boolean {
    return method === 'execute' && this.names.has((args as { readonly tool: string }).tool);
  }

  /** The description with the host's tools behind the environment's own. @throws a sentence */
  private described(value: Json): Json {
    const { hostTools, ...description } = Object(value) as Described & Record<string, Json>;
    const given = Array.isArray(hostTools) ? (hostTools as readonly { readonly name?: string }[]) : [];
    const names = given.map((tool) => String(Object(tool).name));
    this.host.requireAll(names);
    if (given.length === 0) return value;
    const { tools, hooks } = description;
    if (Array.isArray(hooks) && hooks.includes('flow'))
      throw new Error(
        'A flow calls its tools inside the sandbox, so an environment with a flow has no meta.hostTools.',
      );
    this.names = new Set(names);
    return { ...description, tools: [...(tools as readonly Json[]), ...(given as readonly Json[])] };
  }
}
