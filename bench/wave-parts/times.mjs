// When people sign up: more by day than by night where they live, more on workdays, and what together or like a machine means.
import { createChoice } from './random.mjs';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** By the hour where the person is. */
const HOURS = [
  2, 1, 0.7, 0.5, 0.5, 0.8, 1.6, 3, 4.6, 5.8, 6.2, 6, 5.8, 6, 6.2, 6.2, 6, 5.8, 5.6, 6, 6.4, 6.2, 5, 3.4,
];
/** From Monday. */
const WEEKDAYS = [1.12, 1.16, 1.14, 1.1, 1, 0.74, 0.74];
const OFFICE_HOURS = [8, 9, 9, 10, 10, 10, 11, 11, 13, 14, 14, 15, 16, 17];

export function createTimes(random, from, days) {
  const drawHour = createChoice(HOURS.map((weight, hour) => [hour, weight]));
  const drawDay = createChoice(
    // A little more every week.
    Array.from({ length: days }, (_, day) => [day, WEEKDAYS[day % 7] * 1.01 ** day]),
  );
  const end = from + days * DAY_MS;
  const inMonth = (at) => Math.min(end - 1, Math.max(from, Math.floor(at)));
  return {
    inMonth,
    /** Some time of the month, for somebody whose clock is this far from UTC. */
    usual: (utcHours) =>
      inMonth(from + drawDay(random) * DAY_MS + (drawHour(random) + random.next() - utcHours) * HOUR_MS),
    work(utcHours) {
      let day = drawDay(random);
      while (day % 7 > 4) day = drawDay(random);
      return inMonth(from + day * DAY_MS + (random.pick(OFFICE_HOURS) + random.next() - utcHours) * HOUR_MS);
    },
    /** A workday from `minDay` on, at an hour where they live. */
    morning: (utcHours, hour = 8, minDay = 3, maxDay = days - 3) => {
      let day = random.between(minDay, maxDay);
      while (day % 7 > 4) day = random.between(minDay, maxDay);
      return from + day * DAY_MS + (hour - utcHours) * HOUR_MS;
    },
    /** The start of something that takes `hours`, after the service has seen its usual people for a week. */
    start: (hours, minDay = 7) =>
      inMonth(from + DAY_MS * (minDay + random.next() * Math.max(0.1, days - minDay - hours / 24 - 0.2))),
    /** `count` times in `hours`: most in the first half, as when somebody said "now". */
    together: (at, count, hours) =>
      Array.from({ length: count }, () =>
        inMonth(at + hours * HOUR_MS * Math.min(1, random.next() ** 1.5)),
      ).sort((a, b) => a - b),
    /** `count` times over `hours`, evenly or in the spells of a script that is started and stopped; `jitter` 0 … 1. */
    machine: (at, count, hours, jitter = 0.4) =>
      Array.from({ length: count }, (_, number) =>
        inMonth(at + ((number + jitter * (random.next() - 0.5)) * hours * HOUR_MS) / count),
      ).sort((a, b) => a - b),
    scattered: (at, count, hours) =>
      Array.from({ length: count }, () => inMonth(at + random.next() * hours * HOUR_MS)).sort(
        (a, b) => a - b,
      ),
  };
}
