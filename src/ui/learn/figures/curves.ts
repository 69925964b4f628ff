/** Geometry and words of the lessons' small curves. Pure. */

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Curve {
  readonly label: string;
  readonly points: readonly Point[];
}

interface Scale {
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
}

export const pathOf = (points: readonly Point[], at: Scale): string =>
  points.map(({ x, y }, i) => `${i === 0 ? 'M' : 'L'}${at.x(x).toFixed(1)} ${at.y(y).toFixed(1)}`).join('');

/** At most `count` + 1 round numbers from one end to the other. */
export function ticksOf(from: number, to: number, count: number): number[] {
  const rough = (to - from) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((each) => each * power).find((each) => each >= rough * 0.999)!;
  const ticks: number[] = [];
  for (let i = Math.ceil(from / step - 1e-9); i * step <= to + 1e-9; i++) ticks.push(Number((i * step).toPrecision(6)));
  return ticks;
}
