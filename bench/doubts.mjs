// Checks whether a machine was quiet enough to judge measurements on it.

const MAX_ECHO_SPREAD = 0.15;
/** Of one core. Flushes of the disk are other processes' work, too. */
const MAX_OTHERS = 0.25;

/**
 * @param echoes requests a second of the echo's rounds; none: they are not compared
 * @param others share of a core that other processes used in each round
 * @returns the noise, and `doubts`: why the measurements say nothing
 */
export function judgeNoise({ echoes = [], others, where }) {
  const speeds = echoes.toSorted((a, b) => a - b);
  const spread =
    speeds.length === 0 ? 0 : (speeds.at(-1) - speeds[0]) / speeds[Math.floor(speeds.length / 2)];
  const max = Math.max(0, ...others);
  const doubts = [];
  if (spread > MAX_ECHO_SPREAD) doubts.push(`the echo's rounds differ by ${percent(spread)} ${where}`);
  if (!isQuiet(max)) doubts.push(`other processes used ${percent(max)} of a core ${where}`);
  return { spread, others: max, doubts };
}

/** Whether other processes used so little of a core that they did not disturb the measured processes. */
export const isQuiet = (others) => !(others > MAX_OTHERS);

/** The largest of several noises. */
export function worstNoise(noises) {
  return {
    spread: Math.max(0, ...noises.map(({ spread }) => spread)),
    others: Math.max(0, ...noises.map(({ others }) => others)),
  };
}

export const percent = (share) => `${(100 * share).toFixed(0)}%`;
