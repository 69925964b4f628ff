/** Computes in this browser what every engine computes with the same bits. */
import { browserThreads } from '../../../../src/worker/cpu-threads';
import { engineBits } from '../../cpu-bits/engine-bits';

const math = new Uint8Array(await (await fetch('/math.wasm')).arrayBuffer());
self.postMessage(await engineBits(browserThreads()!, math));
