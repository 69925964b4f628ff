/** The pretrained vectors on the CPU device. WebGPU compiles for long: vectors-webgpu.full.test.ts. */
import { pretrainedSuite } from '../../helpers/pretrained-suite';

pretrainedSuite();
