// Decides which results miss their floor, meet it, or reach their aim. A crowd and a wave are judged each, the others over all.

/** Shares of a wave that are challenged or blocked, from the signup on from which it must be known. */
export const WAVE_FLOORS = {
  wave: { floor: 0.9, aim: 0.97 },
  /** One mask at a large provider, among honest people with such names. */
  mask: { floor: 0.8, aim: 0.97 },
  bombing: { floor: 0.75, aim: 0.97 },
};
/** Place of the first signup of a wave that is stopped, median of the waves. */
const FIRST = { floor: 8, aim: 5 };
/** People of each crowd who are challenged, except those that may be; nobody of a crowd is blocked. */
const CROWD_CHALLENGED = { floor: 0.02, aim: 0 };
/** Everyday people who are stopped, or stopped harder, by anything that waves add: of 10,000. */
const TOUCHED = { floor: 1, aim: 0.1 };

/** CPU of a signup that is added for waves, microseconds. */
const BEHIND = { floor: 20, aim: 10 };
const ON_PATH = { floor: 1, aim: 0.3 };

const atLeast = (value, { floor, aim }) => (value >= aim ? 'aim' : value >= floor ? 'met' : 'missed');
const atMost = (value, { floor, aim }) => (value <= aim ? 'aim' : value <= floor ? 'met' : 'missed');

/** A row for each judged result: `{ text, verdict }`. */
export function judgeResult({ waves, crowds, everyday }) {
  const judged = waves.filter(({ floor }) => floor !== null);
  const first = median(judged.map((wave) => (wave.first === 0 ? Number.POSITIVE_INFINITY : wave.first)));
  const touched = (10_000 * everyday.newly) / Math.max(1, everyday.people);
  return [
    ...judged.map(({ name, stopped, floor }) => ({
      text: `wave “${name}”: ${percent(stopped)} stopped, floor ${percent(WAVE_FLOORS[floor].floor)}`,
      verdict: atLeast(stopped, WAVE_FLOORS[floor]),
    })),
    {
      text: `the first that is stopped, median of the waves: ${first === Number.POSITIVE_INFINITY ? 'none' : first}, floor ${FIRST.floor}`,
      verdict: atMost(first, FIRST),
    },
    ...crowds.map(judgeCrowd),
    {
      text: `everyday people who are newly touched: ${touched.toFixed(2)} of 10,000, floor ${TOUCHED.floor}`,
      verdict: atMost(touched, TOUCHED),
    },
  ];
}

function judgeCrowd({ name, people, challenged, blocked, mayBeChallenged }) {
  const floor = mayBeChallenged ? 'nobody blocked' : `${percent(CROWD_CHALLENGED.floor)} and nobody`;
  const may = mayBeChallenged ? 'met' : 'missed';
  const found = atMost(challenged / people, CROWD_CHALLENGED);
  return {
    text: `crowd “${name}”: ${challenged} of ${people} challenged, ${blocked} blocked, floor ${floor}`,
    verdict: blocked > 0 ? 'missed' : found === 'missed' ? may : found,
  };
}

/** Of `gatehouse mirror`. */
export function judgeCost({ waves }, rows) {
  return [
    {
      text: `CPU of a signup for waves behind the commit: ${(waves.behind / rows).toFixed(1)} µs, floor ${BEHIND.floor}`,
      verdict: atMost(waves.behind / rows, BEHIND),
    },
    {
      text: `… before the answer: ${(waves.onPath / rows).toFixed(2)} µs, floor ${ON_PATH.floor}`,
      verdict: atMost(waves.onPath / rows, ON_PATH),
    },
  ];
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function percent(share) {
  return `${(100 * share).toFixed(1)}%`;
}
