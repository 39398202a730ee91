/** Decides the positions of bars, which of them the axis names, and which one is under the pointer. */

/** Pixels from one name on the axis to the next. */
const MIN_NAME_PX = 46;

/** The first of `choices` (indexes of bars, the longest list first) whose names fit; the last one if none fits. */
export function namedBars(
  choices: readonly (readonly number[])[],
  count: number,
  widthPx: number,
): readonly number[] {
  const barPx = widthPx / Math.max(1, count);
  return choices.find((places) => closest(places) * barPx >= MIN_NAME_PX) ?? choices.at(-1) ?? [];
}

function closest(places: readonly number[]): number {
  return Math.min(...places.slice(1).map((place, index) => place - (places[index] ?? 0)));
}

/** Every `step`th of `count` bars, counted from the last one back or from the first one on. */
export function everyNth(count: number, step: number, from: 'first' | 'last'): number[] {
  const rest = from === 'first' ? 0 : (count - 1) % step;
  return Array.from({ length: count }, (_, at) => at).filter((at) => at % step === rest);
}

/** The bar at this many pixels from the left end of the plot. */
export function barAt(xPx: number, widthPx: number, count: number): number {
  const bar = Math.floor((count * xPx) / Math.max(1, widthPx));
  return Math.min(Math.max(bar, 0), count - 1);
}

/** The bar that a key moves to; `undefined` for keys that do not move. */
export function barByKey(key: string, bar: number, count: number): number | undefined {
  const next = { ArrowLeft: bar - 1, ArrowDown: bar - 1, ArrowRight: bar + 1, ArrowUp: bar + 1 }[key];
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  return next === undefined ? undefined : Math.min(Math.max(next, 0), count - 1);
}
