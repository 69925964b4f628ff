/** What curves of several runs can be drawn over: steps, sampled tokens, or the time that the steps took. */
import type { Metrics } from '../../rl/report';
import { iterationMs } from '../../share/run-metrics';
import type { Axis } from '../charts/specs';
import { formatCompact, formatRough } from '../shell/format';
import { text } from './text';

export type AxisName = 'step' | 'tokens' | 'time';

interface Choice {
  readonly axis: Axis;
  /** One a row. */
  readonly xs: (metrics: readonly Metrics[]) => number[];
}

export const axes: Readonly<Record<AxisName, Choice>> = {
  step: {
    axis: { name: text.axes.step, at: text.axes.atStep },
    xs: (metrics) => metrics.map(({ iteration }) => iteration),
  },
  tokens: {
    axis: { name: text.axes.tokens, at: (x) => text.axes.atTokens(formatCompact(x)), tick: formatCompact },
    xs: (metrics) => running(metrics, ({ sampledTokens }) => sampledTokens),
  },
  time: {
    axis: { name: text.axes.time, at: (x) => text.axes.atTime(formatRough(x)), tick: formatRough },
    xs: (metrics) => running(metrics, (row) => iterationMs(row) / 1000),
  },
};

/** Running sum. A row of a thinned run stands for the iterations that are missing before it, too. */
function running(metrics: readonly Metrics[], of: (metrics: Metrics) => number): number[] {
  let sum = 0;
  let before = 0;
  return metrics.map((row) => {
    sum += of(row) * (row.iteration - before);
    before = row.iteration;
    return sum;
  });
}
