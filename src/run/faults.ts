/** What ends a run or prevents its start: a sentence and the button to press. */
import { DeviceLost, OutOfDeviceMemory } from '../device/device';
import { sentenceOf } from '../lib/sentences';
import { NotFinite } from '../model/not-finite';
import { DeviceUnsound } from '../rl/run';
import { EnvironmentUnsound } from '../rl/rollouts/environment-failures';
import type { Remedy } from './events';

export class RunFault extends Error {
  constructor(
    message: string,
    readonly remedy: Remedy,
  ) {
    super(message);
  }
}

/** @param otherwise remedy of an unknown error */
export function faultOf(error: unknown, otherwise: Remedy): RunFault {
  if (error instanceof RunFault) return error;
  const message = sentenceOf(error);
  if (error instanceof OutOfDeviceMemory) return new RunFault(message, 'halve-batch');
  if (error instanceof NotFinite) return new RunFault(message, 'halve-rate');
  if (error instanceof DeviceLost || error instanceof DeviceUnsound) return new RunFault(message, 'resume');
  if (error instanceof EnvironmentUnsound) return new RunFault(message, 'start-over');
  return new RunFault(message, otherwise);
}
