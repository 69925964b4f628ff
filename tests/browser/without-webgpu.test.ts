/** A browser without WebGPU. A browser without an adapter, and its keys, chat and links, are in the full tests. */
import { test } from 'vitest';
import { longMs } from '../helpers/lab';
import { expectRecordingAndAdvice } from '../helpers/without-webgpu';

test('without the API, the page plays its recording and says what to switch on', { timeout: longMs }, () =>
  expectRecordingAndAdvice('no api'),
);
