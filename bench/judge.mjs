// Decides which measures of performance.json miss their floor, meet it, or reach their aim.
import { readFileSync } from 'node:fs';

export const MEASURES = JSON.parse(readFileSync(new URL('./performance.json', import.meta.url), 'utf8'));

/**
 * @param figures by the id of their measure: `value`, and `echo` if the limits depend on the echo's value
 * @returns a row for each measured figure, with `verdict`: `missed`, `met` or `aim`
 */
export function judge(figures) {
  return MEASURES.filter(({ id }) => figures[id] !== undefined).map((measure) => {
    const { value, echo } = figures[measure.id];
    const [floor, aim] = [limitOf(measure.floor, echo), limitOf(measure.aim, echo)];
    const keeps = (limit) => (measure.better === 'more' ? value >= limit : value <= limit);
    const verdict = keeps(aim) ? 'aim' : keeps(floor) ? 'met' : 'missed';
    return { ...measure, ...figures[measure.id], limits: { floor, aim }, verdict };
  });
}

function limitOf(limit, echo) {
  return typeof limit === 'number' ? limit : limit.echoes * echo + limit.plus;
}

/** A figure in readable form: `1,234 B`. */
export function format(value, { digits, unit }) {
  const text = value.toLocaleString('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  if (unit === undefined) return text;
  return unit === '%' ? `${text}%` : `${text} ${unit}`;
}
