/** Whether a run fits on the device that its config chooses, as far as that is known before it begins. */
import type { RunConfig } from '../config/config';
import { missingModel } from '../config/pretrained';
import type { DeviceChoice } from '../device/choice';
import { maxMemoryBytes } from '../device/wasm/linear-memory';
import { builtInEnvironments } from '../environments/built-in';
import { planRun, type RunPlan } from '../rl/memory';
import { faultOf, RunFault } from '../run/faults';
import type { Descriptions } from './descriptions';
import type { Devices } from './devices';
import type { GivenModels } from './given-models';
import { machineMemoryBytes } from './machine-memory';

export class Fit {
  constructor(
    private readonly devices: Devices,
    private readonly descriptions: Descriptions,
    private readonly models: GivenModels,
  ) {}

  async plan(config: RunConfig): Promise<RunPlan> {
    const { name, source } = config.environment;
    const builtIn = source === undefined ? builtInEnvironments[name] : undefined;
    const environment = await (builtIn === undefined
      ? this.descriptions.known(source ?? '')
      : this.descriptions.of(builtIn));
    return planRun(config, environment, await this.limits(config.device), await this.models.network(config));
  }

  /** Of a pretrained model. */
  async maxWeightBytes(choice: DeviceChoice): Promise<number> {
    const { memoryBytes, deviceBytes } = await this.limits(choice);
    return Math.min(memoryBytes, deviceBytes);
  }

  /** @throws RunFault if the run will not fit */
  async require(config: RunConfig): Promise<void> {
    const kind = await this.devices.kindOf(config.device);
    await this.devices.openHealthy(kind).catch((error: unknown) => {
      throw faultOf(error, 'try-again');
    });
    const { pretrained } = config.model;
    if (pretrained && !this.models.has(pretrained)) throw new RunFault(missingModel(pretrained), 'try-again');
    const { problems } = await this.plan(config);
    if (problems.length > 0) throw new RunFault(problems.join(' '), 'halve-batch');
  }

  private async limits(choice: DeviceChoice) {
    const kind = await this.devices.kindOf(choice);
    const device = await this.devices.opened(kind);
    return {
      bindingBytes: device?.adapter.maxTensorBytes ?? Infinity,
      memoryBytes: machineMemoryBytes(),
      deviceBytes: device?.adapter.maxTotalBytes ?? (kind === 'cpu' ? maxMemoryBytes : Infinity),
    };
  }
}
