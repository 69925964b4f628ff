/** Checks attention over packed segments on both devices. */
import { attention, type HeadLayout } from '../../src/ops/attention';
import * as reference from '../reference/attention';
import { checkOp } from './check-op';

export interface AttentionCheck {
  /** Whether the gradient is compared with the analytic one, not with central differences. */
  readonly analytic?: boolean;
  /** Through workgroup memory, where the device is a GPU; default: as the device would. */
  readonly tiled?: boolean;
}

/** @param ranges as `attention` takes them */
export function checkAttention(
  layout: HeadLayout,
  ranges: readonly number[],
  { analytic = true, tiled }: AttentionCheck = {},
): Promise<void> {
  const { heads, kvHeads, headSize } = layout;
  const N = ranges.length / 4;
  return checkOp({
    name: 'attention',
    inputs: {
      qkv: { shape: [N, (heads + 2 * kvHeads) * headSize] },
      ranges: { shape: [N, 4], type: 'u32', data: ranges },
    },
    build: (tape, { qkv, ranges }) => attention(tape, qkv, ranges, layout, undefined, tiled),
    reference: ({ qkv, ranges }) => reference.attention(qkv, ranges, layout),
    gradients: analytic
      ? ({ qkv, ranges }, dy) => ({ qkv: reference.attentionGradient(qkv, ranges, dy, layout) })
      : undefined,
  });
}
