/** Opens a served world with its sandbox workers and its server. */
import { availableParallelism } from 'node:os';
import { sdkSource } from '../../environments/built-in';
import { SharedSandbox } from '../../sandbox/shared-sandbox';
import { WorkerPool } from '../../sandbox/worker-pool';
import { meterQuickJs } from '../quickjs';
import type { GivenRun } from '../run-config';
import { openSandboxThreads, threadWorker } from '../sandbox-threads';
import type { Answer, ServeRequest } from './answer';
import { startServer } from './http';
import { McpRoutes } from './mcp';
import { OpenEnvRoutes } from './openenv-routes';
import { OpenRewardRoutes } from './ors';
import { Sessions } from './sessions';
import { serveSockets } from './sockets';
import { ServedWorld } from './world';

const maxWorkers = 8;

export interface ServeOptions {
  readonly run: GivenRun;
  /** 0 takes a free one. */
  readonly port: number;
  /** Training tasks that are declared. */
  readonly tasks: number;
  readonly stepRewards: boolean;
  readonly token?: string;
  /** Of the program. */
  readonly version: string;
  /** Told of faults that are no client's. */
  readonly onFault: (error: Error) => void;
}

export interface Served {
  readonly world: ServedWorld;
  /** `http://127.0.0.1:8080` */
  readonly address: string;
  close(): Promise<void>;
}

/** @throws a sentence if the world cannot be served or the port is taken */
export async function openServed(options: ServeOptions): Promise<Served> {
  const { run, tasks, stepRewards, version, token, port, onFault } = options;
  const { config, source, description } = run;
  const { sandbox, close: closeSandbox } = await openShared();
  try {
    const name = config.environment.name;
    const world = await ServedWorld.open({ config, source, description, name, sandbox, tasks, stepRewards });
    const sessions = new Sessions();
    const openReward = new OpenRewardRoutes(world, sessions, version);
    const openEnv = new OpenEnvRoutes(world, sessions, version);
    const mcp = new McpRoutes(world, sessions, version);
    const answer = (request: ServeRequest): Promise<Answer> | Answer | null =>
      mcp.answer(request) ??
      (request.path[0] === 'openenv'
        ? (openEnv.answer(request) ?? openReward.answer(request))
        : (openReward.answer(request) ?? openEnv.answer(request)));
    const { server, address } = await startServer({ port, token, answer, onFault });
    const endSockets = serveSockets(server, openEnv, token);
    const close = async () => {
      endSockets();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await closeSandbox();
    };
    return { world, address, close };
  } catch (error) {
    await closeSandbox();
    throw error;
  }
}

/** A worker a core, each with a pool of its own, which replaces it when it crashes. */
async function openShared(): Promise<{ readonly sandbox: SharedSandbox; readonly close: () => Promise<void> }> {
  const threads = await openSandboxThreads();
  const binary = await meterQuickJs();
  const size = Math.min(availableParallelism(), maxWorkers);
  const createWorker = async () => threadWorker(threads.start());
  const workers = Array.from({ length: size }, () => new WorkerPool({ binary, sdk: sdkSource, createWorker, size: 1 }));
  const sandbox = new SharedSandbox(workers);
  const close = async () => {
    sandbox.dispose();
    await threads.remove();
  };
  return { sandbox, close };
}
