/** Decides how high a bar of the histogram is. Most signups have low scores, so in proportion the other bars would be invisible. */
import { niceCeiling } from '../ui/chart-axis.ts';

export type Scale = 'linear' | 'root';

export interface BarScale {
  /** Share of the full height, 0 … 1; any count above zero is visible. */
  height(count: number): number;
  readonly ticks: readonly number[];
}

const MIN_HEIGHT = 0.012;
/** Round numbers whose quarters are round as well. */
const ROOT_CEILINGS = [1, 1.2, 1.6, 2, 2.4, 3.2, 4, 4.8, 6.4, 8, 10];

export function barScale(counts: readonly number[], scale: Scale): BarScale {
  const highest = Math.max(0, ...counts);
  const { ceiling, ticks } = scale === 'root' ? rootCeiling(highest) : niceCeiling(highest);
  const share = (count: number) => (scale === 'root' ? Math.sqrt(count / ceiling) : count / ceiling);
  return { height: (count) => (count === 0 ? 0 : Math.max(MIN_HEIGHT, share(count))), ticks };
}

/** Ceiling of the square root scale, on which a quarter of the count has half the height. */
function rootCeiling(highest: number): { ceiling: number; ticks: number[] } {
  const magnitude = 10 ** Math.floor(Math.log10(Math.max(1, highest)));
  const ceiling = magnitude * (ROOT_CEILINGS.find((round) => round * magnitude >= highest) ?? 10);
  return { ceiling, ticks: [0, ceiling / 16, ceiling / 4, ceiling].filter(Number.isInteger) };
}
