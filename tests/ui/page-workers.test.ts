/** The workers that the page starts: what is passed on to them, what a crash says, and that their end is one. */
import { expose } from 'comlink';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readFile } from '../../src/ui/base/file-reader';
import { SandboxWorkers } from '../../src/ui/trainer/sandbox-frame';
import { startTrainer } from '../../src/ui/trainer/trainer-client';
import { soon } from '../helpers/soon';

interface Started {
  readonly options: WorkerOptions;
  isEnded: boolean;
  crash(message: string): boolean;
}

let api: Record<string, (...values: never[]) => unknown>;
let workers: Started[];
let channels: MessageChannel[];

beforeEach(() => {
  workers = [];
  channels = [];
  vi.stubGlobal('document', { baseURI: 'http://here/page/' });
  vi.stubGlobal(
    'Worker',
    class {
      isEnded = false;
      #channel = new MessageChannel();
      #crashed = new Set<(event: object) => void>();
      constructor(
        _: string,
        readonly options: WorkerOptions,
      ) {
        channels.push(this.#channel);
        expose(api, this.#channel.port2);
        this.#channel.port1.start();
        workers.push(this as never);
      }
      addEventListener(type: string, act: (event: object) => void, { once = false } = {}): void {
        if (type !== 'error') return this.#channel.port1.addEventListener(type, act as never);
        const hear = (event: object): void => {
          if (once) this.#crashed.delete(hear);
          act(event);
        };
        this.#crashed.add(hear);
      }
      postMessage(message: unknown, moved: Transferable[]): void {
        this.#channel.port1.postMessage(message, moved as never);
      }
      /** @returns whether the browser was kept from saying it on the console */
      crash(message: string): boolean {
        let isKept = false;
        for (const hear of [...this.#crashed]) hear({ message, preventDefault: () => (isKept = true) });
        return isKept;
      }
      terminate(): void {
        this.isEnded = true;
      }
    },
  );
});
afterEach(() => {
  for (const { port1, port2 } of channels) for (const port of [port1, port2]) port.close();
  vi.unstubAllGlobals();
});
const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

test('a file is read in a worker; its end and its crash are told once, and nothing after it was ended', async () => {
  api = { readResults: async (name: never) => (name === 'bad' ? Promise.reject(new Error('It is no table.')) : name) };
  const told: unknown[] = [];
  const read = (name: string) =>
    readFile(
      (reader) => reader.readResults(name as never) as Promise<unknown>,
      (found) => told.push(found),
      (sentence) => told.push(sentence),
    );
  const end = read('good');
  await soon(() => expect(told).toEqual(['good']));
  end();
  expect([workers[0].isEnded, workers[0].options.type]).toEqual([true, 'module']);
  read('bad');
  await soon(() => expect(told).toEqual(['good', 'It is no table.']));
  read('late')();
  read('bad')();
  await settled();
  expect(told).toHaveLength(2);
  expect(workers[1].crash('out of memory')).toBe(true);
  workers[1].crash('again');
  expect(told).toHaveLength(3);
});

test('the trainer gets what it is asked, tells by events, and ends with its sandbox', async () => {
  const asked: unknown[] = [];
  const close = vi.spyOn(SandboxWorkers.prototype, 'close');
  const note =
    (name: string) =>
    (...values: unknown[]) =>
      void asked.push([name, ...values.filter((value) => typeof value !== 'function')]);
  api = {
    connect: (_: never, base: never, apart: never) => void asked.push(['connect', base, apart]),
    subscribe: (tell: (event: string) => void) => tell('event'),
    chat: note('chat'),
    chatWithStart: note('chatWithStart'),
    giveModel: note('giveModel'),
  } as never;
  const crashes: string[] = [];
  const trainer = startTrainer((sentence) => crashes.push(sentence));
  const events: unknown[] = [];
  await trainer.subscribe((event) => events.push(event));
  await soon(() => expect(events).toEqual(['event']));
  const none = () => undefined;
  await trainer.chat('Hello', none);
  await trainer.chatWithStart({ seed: 1 } as never, 'Hello', none);
  await trainer.giveModel({ folder: 'f' } as never, null, none);
  expect(asked).toEqual([
    ['connect', 'http://here/', false],
    ['chat', 'Hello'],
    ['chatWithStart', { seed: 1 }, 'Hello'],
    ['giveModel', { folder: 'f' }, null],
  ]);
  expect(workers[0].crash('')).toBe(true);
  workers[0].crash('again');
  expect(crashes).toEqual(['its script could not be loaded']);
  trainer.terminate();
  expect([workers[0].isEnded, close.mock.calls.length]).toEqual([true, 1]);
  startTrainer((sentence) => crashes.push(sentence), { apart: true });
  await soon(() => expect(asked.at(-1)).toEqual(['connect', 'http://here/', true]));
  workers[1].crash('out of memory');
  expect(crashes.at(-1)).toBe('out of memory');
});
