/** A thread of the CPU device, in a page that may share memory. */
import { Walker, type ThreadStart } from '../device/wasm/program.js';

self.onmessage = ({ data }: MessageEvent<ThreadStart>) => {
  const walker = new Walker(data);
  self.postMessage('ready');
  walker.serve();
  // The memory is kept as long as one of its threads.
  self.close();
};
