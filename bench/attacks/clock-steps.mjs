// The wall clock of a service steps back and ahead, with a burst before and after: the rate limit and velocity.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { assess } from '../attack-parts/sockets.mjs';
import { startTarget } from '../attack-parts/target.mjs';
import { createFakeClock } from '../fake-clock.mjs';

/** Number of requests that plan `free` admits in its window. */
const BURST = 15;
const WINDOW_MS = 5_000;
/** Steps of the clock: the offset from real time after the step, and the offset at the end. */
const STEPS = [
  ['an hour back', '-1h', '-1h'],
  ['55 seconds back', '-55s', '-55s'],
  ['two hours ahead and back', '+2h', '+0'],
  ['60 days ahead and back', '+60d', '+0'],
];

export const attack = {
  what: `the clock steps ${STEPS.map(([name]) => name).join(', ')}, each with a burst of ${BURST} before and one after, on plan \`free\``,
  before:
    'after a step of 1 h back only 429 for an hour, and later still for 55 s after one of 55 s; a minute at +60 days refused 2,733 of 2,878 signups in the next 48 h, and velocity never forgot',
  async run() {
    const failures = [];
    const seen = [];
    for (const [at, [name, step, stay]] of STEPS.entries()) {
      const file = join(tmpdir(), `gatehouse-attack-clock-${process.pid}-${at}`);
      const { set, env } = createFakeClock(file);
      const target = await startTarget({ plan: 'free', env });
      const before = await burst(target);
      set(step);
      const after = await burst(target);
      set(stay);
      await sleep(WINDOW_MS + 200);
      const next = await burst(target);
      const admitted = next.filter(({ status }) => status === 200);
      const counted = JSON.parse(admitted.at(-1)?.text ?? '{}').signals?.velocity.ip_signups_1h;
      seen.push(
        `${name}: ${before.length - 1} and ${after.length - 1} admitted, a window later ${admitted.length} again, velocity ${counted} of ${before.length + after.length + next.length - 3}`,
      );
      if (admitted.length !== BURST)
        failures.push(`${name}: ${admitted.length} of ${BURST} admitted a window later`);
      if (after.length !== 1) failures.push(`${name}: ${after.length - 1} more admitted at the step`);
      if (counted > 3 * BURST) failures.push(`${name}: velocity ${counted}`);
    }
    return { seen: seen.join('; '), failures };
  },
};

/** Sends signups until one is refused; the last answer is the refusal. */
async function burst(target) {
  const answers = [];
  while (answers.length <= BURST && answers.at(-1)?.status !== 429) answers.push(await assess(target));
  return answers;
}
