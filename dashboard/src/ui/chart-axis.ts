/** Where an axis from zero ends, and the positions of the labels at the end of stacked bars. */

const STEPS = [1, 2, 2.5, 5, 10];
const PARTS = 4;

/** The smallest round number of four equal, whole steps that holds `highest`. */
export function niceCeiling(highest: number): { ceiling: number; ticks: number[] } {
  const rough = Math.max(1, highest / PARTS);
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const fits = STEPS.map((step) => step * magnitude).find((step) => step >= rough && Number.isInteger(step));
  const step = fits ?? magnitude * 10;
  return { ceiling: step * PARTS, ticks: Array.from({ length: PARTS + 1 }, (_, index) => index * step) };
}

/** The middle of each stacked value, lowest first, pushed apart to `gap` pixels and kept inside. */
export function endLabels(
  values: readonly number[],
  { ceiling, top, bottom, gap }: { ceiling: number; top: number; bottom: number; gap: number },
): number[] {
  const places: number[] = [];
  let below = 0;
  let free = bottom - gap / 2;
  for (const value of values) {
    const middle = bottom - ((below + value / 2) / ceiling) * (bottom - top);
    const place = Math.min(middle, free);
    places.push(place);
    below += value;
    free = place - gap;
  }
  const over = top + gap / 2 - (places.at(-1) ?? bottom);
  return over > 0 ? places.map((place) => place + over) : places;
}
