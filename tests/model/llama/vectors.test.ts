/** The pretrained vectors on the CPU device. WebGPU, whose kernels compile slowly, is in vectors-webgpu.full.test.ts. */
import { pretrainedSuite } from '../../helpers/pretrained-suite';

pretrainedSuite();
