/** The bench suite inside a page, for `bench --browser`. Never part of the built site. */
import { Device } from '../gpu/device';
import { runBench, type BenchReport } from './bench-suite';

export async function benchPage(withKernels: boolean): Promise<BenchReport> {
  const device = await Device.open(navigator.gpu);
  return runBench(device, withKernels, (what) => console.info(`Measuring ${what} …`));
}
