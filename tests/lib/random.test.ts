/** Random numbers: TypeScript and WGSL give the same bits, and the bits look random. */
import { describe, expect, test } from 'vitest';
import { readTensor } from '../../src/device/commands';
import { createTensor } from '../../src/device/tensor';
import { expandShader } from '../../src/device/webgpu/wgsl';
import { bits, normal, permutation, Purpose, uniform } from '../../src/lib/rng';
import { gpuDevice } from '../helpers/devices';

test('the shader and TypeScript draw the same bits and the same floats', async () => {
  const words = await drawnByKernel(
    4096,
    `let drawn = randomBits(0xfffffff0u + i, 3u, i * 7u, i >> 3u, 1000u + i, i % 29u);
     out[i] = vec2u(drawn, bitcast<u32>(randomUniform(drawn)));`,
  );
  const floats = new Float32Array(words.buffer);
  for (let i = 0; i < 4096; i++) {
    const keys = [(0xfffffff0 + i) >>> 0, Purpose.sample, i * 7, i >> 3, 1000 + i, i % 29] as const;
    expect(words[2 * i]).toBe(bits(...keys));
    expect(floats[2 * i + 1]).toBe(uniform(...keys));
  }
});

/** WGSL allows `log` an absolute error of 2⁻²¹ on [0.5, 2], else 3 units in the last place. */
const worstLog = (sign: 1 | -1) => `
  fn log(x: f32) -> f32 {
    let exact = log2(x) * 0.6931471805599453;
    let error = select(3.0 * 0x1p-23 * exact, 0x1p-21, x >= 0.5 && x <= 2.0);
    return exact + ${sign}.0 * error;
  }`;

describe('Gumbel noise is finite and within 1e-4 of float64 for every random word', () => {
  test.each([
    ['the log of this adapter', ''],
    ['the largest log that WGSL allows', worstLog(1)],
    ['the smallest log that WGSL allows', worstLog(-1)],
  ])('with %s', async (_, log) => {
    // A word with every value of the 23 bits that a uniform has; then the first and the last 4096 words.
    await expectNoise(2 ** 23, '(i << 9u) | (i & 511u)', log);
    await expectNoise(8192, 'select(~i, i, i < 4096u)', log);
  });
});

/** @param word WGSL of the i-th of `count` words */
async function expectNoise(count: number, word: string, log: string): Promise<void> {
  const words = await drawnByKernel(
    count,
    `let drawn = ${word};
     out[i] = vec2u(drawn, bitcast<u32>(gumbelNoise(drawn)));`,
    log,
  );
  const noise = new Float32Array(words.buffer);
  let worst = 0;
  let where = 0;
  for (let i = 0; i < 2 * count && !Number.isNaN(worst); i += 2) {
    const u = ((words[i] >>> 9) + 0.5) / 2 ** 23;
    const error = Math.abs(noise[i + 1] + Math.log(-Math.log(u)));
    if (!(error <= worst)) [worst, where] = [error, i];
  }
  expect(worst, `word ${words[where]}: ${noise[where + 1]}`).toBeLessThan(1e-4);
}

/**
 * What `statement` writes to `out` [count] of vec2u for each i, in a kernel with the functions of lib/random.
 * @param before WGSL before them
 */
async function drawnByKernel(count: number, statement: string, before = ''): Promise<Uint32Array> {
  const device = await gpuDevice();
  const code = `${before}
    ${expandShader('lib/random', {})}
    @group(0) @binding(0) var<storage, read_write> out: array<vec2u>;
    @compute @workgroup_size(64)
    fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
      let i = id.x + id.y * groups.x * 64u;
      ${statement}
    }`;
  const out = createTensor(device, 'out', [count, 2], { type: 'u32' });
  const pipeline = device.handle.createComputePipeline({
    layout: 'auto',
    compute: { module: device.handle.createShaderModule({ code }) },
  });
  const bindGroup = device.handle.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: [{ binding: 0, resource: { buffer: out.buffer as GPUBuffer } }],
  });
  const encoder = device.handle.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, bindGroup);
  const columns = Math.min(count / 64, 4096);
  pass.dispatchWorkgroups(columns, count / 64 / columns);
  pass.end();
  device.handle.queue.submit([encoder.finish()]);
  const words = new Uint32Array((await readTensor(device, out)).buffer);
  out.buffer.destroy();
  return words;
}

test('uniforms fill (0, 1) evenly along every key, and normals have mean 0 and variance 1', () => {
  const n = 20_000;
  for (let key = 0; key < 6; key++) {
    const draws = Array.from({ length: n }, (_, i) => {
      const keys: [number, Purpose, number, number, number, number] = [1, Purpose.sample, 2, 3, 4, 5];
      if (key === 1) keys[1] = ((i % 7) + 1) as Purpose;
      keys[key === 1 ? 2 : key] = i;
      return uniform(...keys);
    });
    const buckets = new Array<number>(20).fill(0);
    for (const u of draws) buckets[Math.floor(u * 20)]++;
    const chiSquare = buckets.reduce((sum, count) => sum + (count - n / 20) ** 2 / (n / 20), 0);
    expect(Math.min(...draws)).toBeGreaterThan(0);
    expect(Math.max(...draws)).toBeLessThan(1);
    // 19 degrees of freedom: 60 is less likely than one in a million.
    expect(chiSquare, `key ${key}`).toBeLessThan(60);
  }
  const normals = Array.from({ length: n }, (_, i) => normal(9, Purpose.init, 1, i));
  const mean = normals.reduce((a, b) => a + b, 0) / n;
  const variance = normals.reduce((a, b) => a + (b - mean) ** 2, 0) / n;
  expect(Math.abs(mean)).toBeLessThan(0.04);
  expect(Math.abs(variance - 1)).toBeLessThan(0.05);
});

test('a permutation holds every index once and depends on its keys', () => {
  const one = permutation(100, 5, Purpose.shuffle, 1);
  expect([...one].sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => i));
  expect(permutation(100, 5, Purpose.shuffle, 1)).toEqual(one);
  expect(permutation(100, 5, Purpose.shuffle, 2)).not.toEqual(one);
});
