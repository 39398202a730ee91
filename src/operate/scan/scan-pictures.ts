/** Draws the pictures of a scan: numbers over time, and shares. Only shapes; words stand beside them. */
import { html, type Markup } from './markup.ts';

const HEIGHT = 100;
const STEP_WIDTH = 10;
const BAR_WIDTH = 8;
/** A bar of one user among thousands is still seen. */
const MIN_HEIGHT = 1.5;

export interface Layer {
  /** Class that gives the colour. */
  readonly name: 'wave' | 'other' | 'rest';
  readonly counts: readonly number[];
}

/** Bars over time, the first layer at the bottom. @param label what it shows, for who does not see it */
export function drawBars(layers: readonly Layer[], label: string, shape: 'chart' | 'spark'): Markup {
  const steps = layers[0]?.counts.length ?? 0;
  const sums = Array.from({ length: steps }, (_, at) => sumOf(layers, at));
  const largest = Math.max(1, ...sums);
  const bars = sums.flatMap((_, at) => {
    let bottom = HEIGHT;
    return layers.flatMap(({ name, counts }) => {
      const count = counts[at] ?? 0;
      if (count <= 0) return [];
      const height = Math.max(MIN_HEIGHT, (HEIGHT * count) / largest);
      bottom -= height;
      const [x, y] = [at * STEP_WIDTH + (STEP_WIDTH - BAR_WIDTH) / 2, Math.max(0, bottom)];
      return html`<rect class="${name}" x="${x}" y="${y.toFixed(2)}" width="${BAR_WIDTH}" height="${height.toFixed(2)}"/>`;
    });
  });
  return html`<svg class="${shape}" viewBox="0 0 ${Math.max(1, steps) * STEP_WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}">${bars}</svg>`;
}

/** A share as a bar. @param share 0 … 1 */
export function drawShare(share: number, label: string): Markup {
  const width = share > 0 ? Math.max(1, 100 * share) : 0;
  return html`<svg class="meter" viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label="${label}"><rect class="track" width="100" height="6"/><rect class="wave" width="${width.toFixed(2)}" height="6"/></svg>`;
}

function sumOf(layers: readonly Layer[], at: number): number {
  return layers.reduce((sum, { counts }) => sum + (counts[at] ?? 0), 0);
}
