/** Generates sequences of calls, and runs them on the counters and on the model. */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { VelocityEvent } from '../model/velocity-event.ts';
import { countIn } from './count-in.suite.ts';
import type { Counters, Reservation } from './counters.ts';
import type { CountersModel, VoicesSeen } from './counters-model.suite.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** The window of a bucket does not change; the number that it admits may. */
const WINDOW_MS = { second: 1000, burst: 5000, minute: 60_000 };

const waits = fc.record({
  kind: fc.constant('wait' as const),
  ms: fc.oneof(
    fc.constant(0),
    fc.integer({ min: 1, max: 50 }),
    fc.constantFrom(999, 1000, 1001, 4999, 5000, 5001, 59_999, 60_000),
    fc.integer({ min: 5, max: 50 }).map((minutes) => minutes * 60_000),
    fc.constantFrom(HOUR_MS - 1, HOUR_MS, HOUR_MS + 1, DAY_MS - HOUR_MS),
    fc.constantFrom(DAY_MS - 1, DAY_MS, DAY_MS + 1, 3 * DAY_MS),
  ),
});

/** Networks; the IPv6 ones are in two /48. */
const NETWORKS = [
  '203.0.113.0',
  '203.0.113.1',
  '2001:db8:0:1::/64',
  '2001:db8:0:2::/64',
  '2001:db8::/64',
  '2001:db8:1::/64',
  '2001:db8:1:1::/64',
];

const signups = fc.record({
  kind: fc.constant('signup' as const),
  account: fc.nat(1),
  network: fc.option(fc.constantFrom(...NETWORKS)),
  domain: fc.nat(2),
  local: fc.nat(5),
});

const afterwards = fc.record({
  kind: fc.constantFrom('undo' as const, 'block' as const, 'block' as const),
  which: fc.nat(),
});
/** A past attempt: its answer is stored with it. */
const answered = fc.record({ signup: signups, blocked: fc.boolean() });

const requests = fc.record({
  kind: fc.constantFrom('admit' as const, 'peek' as const),
  bucket: fc.constantFrom('second' as const, 'burst' as const, 'minute' as const),
  admits: fc.nat(5),
});

export const scripts = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: waits },
    { weight: 6, arbitrary: signups },
    { weight: 2, arbitrary: afterwards },
    { weight: 4, arbitrary: requests },
  ),
  { maxLength: 80, size: 'max' },
);
export const pasts = fc.array(fc.oneof(waits, answered, answered), { maxLength: 60, size: 'max' });

type Of<A> = A extends fc.Arbitrary<infer T> ? T : never;

let attempts = 0;
/** Each address has a fixed domain and mailbox; the first two domains share their mailboxes. */
function attemptOf(step: Of<typeof signups>, at: number): VelocityEvent {
  attempts += 1;
  return {
    // Ids sort by time.
    id: `req_${String(attempts).padStart(8, '0')}`,
    account: `acc_${step.account}`,
    at,
    network: step.network,
    domain: `${step.domain}.example`,
    addressHash: `${step.local}@${step.domain}.example`,
    mailbox: `${Math.floor(step.local / 3)}@${step.domain === 2 ? 2 : 0}.example`,
    // All of a voice have one, or none: of two in the same millisecond, either may be the latest.
    named: step.domain === 2,
  };
}

export const seen = ({ voices }: Reservation): VoicesSeen => ({
  networkMailboxes1h: voices.networkMailboxes1h(),
  domainVoices1h: voices.domainVoices1h(),
  mailboxVoices24h: voices.mailboxVoices24h(),
});

/** The attempts of a generated past, and the time when it ends. */
export function recall(past: Of<typeof pasts>, start: number): { attempts: VelocityEvent[]; end: number } {
  const attempts: VelocityEvent[] = [];
  let end = start;
  for (const step of past) {
    if ('ms' in step) end += step.ms;
    else attempts.push({ ...attemptOf(step.signup, end), blocked: step.blocked });
  }
  return { attempts, end };
}

/** Runs a script on both and compares every answer. */
export async function play(
  script: Of<typeof scripts>,
  { counters, model, start }: { counters: Counters; model: CountersModel; start: number },
): Promise<void> {
  let now = start;
  const counted: { attempt: VelocityEvent; handle: Reservation }[] = [];
  for (const step of script) {
    if (step.kind === 'wait') {
      now += step.ms;
    } else if (step.kind === 'signup') {
      const attempt = attemptOf(step, now);
      const handle = await countIn(counters, attempt);
      const counts = model.count(attempt);
      expect(handle.counts).toEqual(counts);
      expect(seen(handle)).toEqual(model.voices(attempt, counts));
      counted.push({ attempt, handle });
    } else if ('bucket' in step) {
      const window = { windowMs: WINDOW_MS[step.bucket], admits: step.admits };
      const state = await counters[step.kind](step.bucket, window, now);
      expect(state).toEqual(model[step.kind](step.bucket, window, now));
    } else {
      const chosen = counted[step.which % Math.max(1, counted.length)];
      if (chosen === undefined) continue;
      await (step.kind === 'undo' ? chosen.handle.undo() : chosen.handle.markBlocked());
      if (step.kind === 'undo') model.undo(chosen.attempt);
      else model.markBlocked(chosen.attempt);
    }
  }
}
