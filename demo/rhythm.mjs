// When people sign up: more by day than by night, more on workdays, a little more every week.

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Relative traffic by UTC hour: Europe's morning, then America's day. */
const HOURS = [
  0.42, 0.36, 0.32, 0.3, 0.31, 0.36, 0.5, 0.72, 0.95, 1.1, 1.15, 1.14, 1.16, 1.3, 1.45, 1.52, 1.5, 1.42, 1.3,
  1.15, 1.0, 0.86, 0.7, 0.54,
];
/** From Sunday. */
const WEEKDAYS = [0.58, 1.08, 1.16, 1.14, 1.1, 0.98, 0.62];
const GROWTH_A_WEEK = 1.05;

/** `count` times in [from, to), in order. */
export function moments({ from, to, count, random }) {
  const hours = [];
  for (let at = from; at < to; at += HOUR_MS) {
    const date = new Date(at);
    const grown = GROWTH_A_WEEK ** ((at - from) / (7 * DAY_MS));
    const whims = 0.85 + random.next() * 0.3;
    const weight = HOURS[date.getUTCHours()] * WEEKDAYS[date.getUTCDay()] * grown * whims;
    hours.push([at, weight * (Math.min(to - at, HOUR_MS) / HOUR_MS)]);
  }
  const cumulated = [];
  let sum = 0;
  for (const [, weight] of hours) {
    sum += weight;
    cumulated.push(sum);
  }
  const found = Array.from({ length: count }, () => {
    const sought = random.next() * sum;
    const hour = cumulated.findIndex((upTo) => upTo > sought);
    const start = hours[hour][0];
    return Math.floor(start + random.next() * Math.min(HOUR_MS, to - start));
  });
  return found.sort((a, b) => a - b);
}

/** Midnight UTC, this many days before the last day. */
export function dayBefore(to, days) {
  return Math.floor(to / DAY_MS) * DAY_MS - days * DAY_MS;
}
