/** A run in a terminal that breaks: it goes on from its last save, and ends with the files of one that never broke. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { RunFolder } from '../../src/cli/run-folder';
import { presetByName } from '../../src/config/presets';
import { WebGpuDevice } from '../../src/device/webgpu/webgpu-device';
import { runCommand } from '../helpers/command';
import { timeless } from '../helpers/timeless';

const folder = mkdtempSync(join(tmpdir(), 'agentlet-cli-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const mini = presetByName('calculator-mini').config;
const file = join(folder, 'tiny.json');
writeFileSync(
  file,
  JSON.stringify({
    ...mini,
    iterations: 4,
    model: { ...mini.model, layers: 1, width: 32, mlpWidth: 32 },
    warmStart: { ...mini.warmStart, demonstrations: 16, steps: 4, batch: 8, recorded: false },
    rollout: { ...mini.rollout, tasks: 2, group: 4, maxTurns: 2, maxTokens: 8 },
    evaluation: { tasks: 8, every: 8 },
  }),
);

/** The device that was opened last, and its newest buffer of weights. */
let device: WebGpuDevice;
let weights: GPUBuffer;
const open = WebGpuDevice.open.bind(WebGpuDevice);
const opened = vi.spyOn(WebGpuDevice, 'open');
beforeAll(() => {
  opened.mockImplementation(async (...args) => {
    device = await open(...args);
    const { handle } = device;
    const create = handle.createBuffer.bind(handle);
    handle.createBuffer = (descriptor) => {
      const buffer = create(descriptor);
      if (descriptor.label === 'parameters') weights = buffer;
      return buffer;
    };
    return device;
  });
});
afterAll(() => opened.mockRestore());
afterEach(() => vi.clearAllMocks());

const train = (name: string, ...more: string[]) =>
  runCommand('train', file, '--device', 'gpu', '--seed', '7', '--json', '--out', join(folder, name), ...more);

function filesOf(name: string) {
  const read = (each: string) => readFileSync(join(folder, name, each), 'utf8');
  const lines = (log: string) => read(log).trim().split('\n');
  return {
    checkpoint: readFileSync(join(folder, name, 'checkpoint.safetensors')).toString('base64'),
    link: read('link.txt'),
    metrics: lines('metrics.jsonl').map((line) => timeless(JSON.parse(line))),
    trajectories: lines('trajectories.jsonl'),
    warmLosses: lines('warm-start.jsonl'),
  };
}

/** Calls `then` when the run writes a line of this log for the nth time. */
function atLine(log: 'appendMetrics' | 'appendWarmLoss', n: number, then: () => void): void {
  const original = RunFolder.prototype[log];
  let count = 0;
  const spy = vi.spyOn(RunFolder.prototype, log).mockImplementation(function (this: RunFolder, line: unknown) {
    original.call(this, line as never);
    if (++count !== n) return;
    spy.mockRestore();
    then();
  });
}

/** The device goes away without `Device.destroy`, as when the driver is reset. */
const lose = () => device.handle.destroy();

test('a device that is lost within an iteration, and one lost in the warm start, change no file', async () => {
  const whole = await train('whole');
  expect(whole.code, whole.stderr).toBe(0);
  expect(whole.stderr).not.toContain('lost');

  atLine('appendMetrics', 3, lose);
  const broken = await train('lost');
  expect(broken.code, broken.stderr).toBe(0);
  expect(broken.stderr.match(/The graphics device was lost\./g)).toHaveLength(1);
  expect(opened).toHaveBeenCalledTimes(3);
  expect(filesOf('lost')).toEqual(filesOf('whole'));
  const { fingerprint, success } = JSON.parse(whole.stdout.trim().split('\n').at(-1)!);
  expect(JSON.parse(broken.stdout.trim().split('\n').at(-1)!)).toMatchObject({ fingerprint, success });

  atLine('appendWarmLoss', 1, lose);
  const early = await train('early');
  expect(early.code, early.stderr).toBe(0);
  expect(early.stderr.match(/Success on 8 unseen tasks/g), 'said once').toHaveLength(1);
  expect(filesOf('early')).toEqual(filesOf('whole'));
});

test('a device that is lost again and again ends the run with a sentence; its last save can be resumed', async () => {
  const append = RunFolder.prototype.appendMetrics;
  const spy = vi.spyOn(RunFolder.prototype, 'appendMetrics').mockImplementation(function (this: RunFolder, line) {
    append.call(this, line);
    if (line.iteration === 2) lose();
  });
  const { code, stderr } = await train('often');
  spy.mockRestore();
  expect([code, stderr]).toEqual([1, expect.stringMatching(/was lost 3 times within a minute/)]);
  const { code: resumed } = await runCommand('train', '--resume', join(folder, 'often'));
  expect(resumed).toBe(0);
  expect(filesOf('often').checkpoint).toBe(filesOf('whole').checkpoint);
});

test('a weight that breaks: the run goes back to its last save and on', async () => {
  atLine('appendMetrics', 2, () => device.handle.queue.writeBuffer(weights, 0, Float32Array.of(NaN)));
  const { code, stderr } = await train('broken');
  expect(code, stderr).toBe(0);
  expect(stderr.match(/The run went back to its last good state and goes on\./g)).toHaveLength(1);
  expect(filesOf('broken')).toEqual(filesOf('whole'));
});

test('a device without memory ends the run with a sentence', async () => {
  const mocked = opened.getMockImplementation()!;
  opened.mockImplementationOnce(async (...args) => {
    const made = await mocked.apply(WebGpuDevice, args);
    made.handle.popErrorScope = async () => ({ message: 'as a driver without memory answers' });
    return made;
  });
  const { code, stderr } = await train('no-memory');
  expect([code, stderr]).toEqual([1, expect.stringContaining('not enough graphics memory')]);
});
