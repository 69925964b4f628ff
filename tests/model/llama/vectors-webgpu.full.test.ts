/** The pretrained vectors on WebGPU. */
import { onWebGpu } from '../../helpers/devices';
import { pretrainedSuite } from '../../helpers/pretrained-suite';

onWebGpu(pretrainedSuite);
