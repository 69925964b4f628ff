/**
 * The page's side of the sandbox frame: one hidden iframe of an opaque origin, whose script (frame-script.js) starts
 * and ends workers. Each worker gets one end of a channel and the trainer the other, so nothing of a tool call passes
 * through here.
 */
import { transfer } from 'comlink';
import type { SandboxFrame } from '../../worker/protocol';
import { trusted } from './trusted';

const words = {
  silent: 'it did not answer',
  fault: (reason: string) => `A sandbox worker could not be started: ${reason}. Reload the page to try again.`,
  notLoaded: 'The sandbox could not be loaded. Reload the page to try again.',
  closed: 'The sandbox was closed before its worker was started.',
} as const;

/** The frame's answer to an order to start a worker: `fault` is null once the worker runs. */
interface Report {
  readonly id: number;
  readonly fault: string | null;
}

interface Frame {
  readonly element: HTMLIFrameElement;
  readonly orders: MessagePort;
}

/**
 * A frame that has not started a worker after this long is lost: its process may have died, which nothing tells the
 * page.
 */
const startTimeoutMs = 20_000;

let frame: Promise<Frame> | null = null;
let lastId = 0;
const starting = new Map<number, (report: Report) => void>();

/** The sandbox workers of one trainer. They end with it; the frame stays for the next. */
export class SandboxWorkers implements SandboxFrame {
  private readonly ids = new Set<number>();
  private closed = false;

  async spawn(): Promise<{ readonly id: number; readonly port: MessagePort }> {
    let { port, id, fault } = await this.start();
    if (fault === words.silent) ({ port, id, fault } = await this.start());
    if (fault !== null) throw new Error(words.fault(fault));
    return transfer({ id, port }, [port]);
  }

  /** In a new frame if the one before was lost. */
  private async start(): Promise<Report & { readonly port: MessagePort }> {
    const place = (frame ??= openFrame());
    const { element, orders } = await place.catch((cause: unknown) => {
      frame = null;
      throw new Error(words.notLoaded, { cause });
    });
    if (this.closed) throw new Error(words.closed);
    const id = ++lastId;
    this.ids.add(id);
    const { port1, port2 } = new MessageChannel();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const { fault } = await new Promise<Report>((resolve) => {
      starting.set(id, resolve);
      orders.postMessage({ order: 'spawn', id }, [port2]);
      timer = setTimeout(() => resolve({ id, fault: words.silent }), startTimeoutMs);
    });
    clearTimeout(timer);
    starting.delete(id);
    if (fault === words.silent && frame === place) {
      frame = null;
      element.remove();
    }
    return { id, fault, port: port1 };
  }

  async terminate(id: number): Promise<void> {
    if (this.ids.delete(id)) (await frame)?.orders.postMessage({ order: 'terminate', id });
  }

  close(): void {
    this.closed = true;
    for (const id of this.ids) void this.terminate(id);
  }
}

async function openFrame(): Promise<Frame> {
  // The page is painted without them.
  const [{ default: frameDocument }, { default: workerSource }] = await Promise.all([
    import('virtual:sandbox-frame'),
    import('virtual:sandbox-worker'),
  ]);
  const element = document.createElement('iframe');
  element.sandbox.add('allow-scripts');
  element.hidden = true;
  element.ariaHidden = 'true';
  element.title = 'Sandbox';
  element.srcdoc = trusted.createHTML(frameDocument);
  const loaded = new Promise((resolve) => element.addEventListener('load', resolve, { once: true }));
  document.body.append(element);
  await loaded;
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }: MessageEvent<Report>) => starting.get(data.id)?.(data);
  element.contentWindow!.postMessage(workerSource, '*', [port2]);
  return { element, orders: port1 };
}
