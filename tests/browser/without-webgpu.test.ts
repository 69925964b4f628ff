/** A browser without WebGPU trains on the CPU. One without an adapter, its chat and its links are in the full tests. */
import { test } from 'vitest';
import { longMs } from '../helpers/lab';
import { expectTrainingOnCpu } from '../helpers/without-webgpu';

test('without the API, a run begins from its recorded warm start on the CPU', { timeout: longMs }, () =>
  expectTrainingOnCpu('no api'),
);
