import fc from 'fast-check';
import { expect, it } from 'vitest';
import { latencyBucket } from '../history-traffic.ts';
import { addUp, createRollup, type RolledUpRow } from './run-rollup.ts';
import { reasonNumbers } from './run-segment.ts';

const SLOT_MS = 1_800_000;
const row: fc.Arbitrary<RolledUpRow> = fc.record({
  account: fc.nat(2),
  at: fc.nat(5 * SLOT_MS),
  // Verdicts of live and sandbox keys; from 8 on in shadow mode.
  flags: fc.constantFrom(0, 1, 2, 4, 5, 6, 8, 9, 10, 13, 14),
  reasons: fc.constantFrom(0, 1, 2, 5, 0x8000_0001),
  weights: fc.constant([7, 11]),
  finding: fc.constantFrom(null, 0, 254, 255),
  tookMs: fc.oneof(fc.integer({ min: 0, max: 65_534 }), fc.constantFrom(1, 100, 65_535)),
});

/** Adds up the live rows directly. */
function countDirectly(rows: readonly RolledUpRow[]) {
  const sums: Record<string, [count: number, weight: number]> = {};
  const add = (name: string, weight = 0) => {
    const before = sums[name] ?? [0, 0];
    sums[name] = [before[0] + 1, before[1] + weight];
  };
  for (const { at, flags, reasons, weights, finding, tookMs } of rows) {
    if ((flags & 4) !== 0) continue;
    const shadow = flags >= 8 ? ' shadow' : '';
    add(`${Math.floor(at / SLOT_MS)} verdict ${['allow', 'challenge', 'block'][flags & 3]}${shadow}`);
    if (tookMs !== 65_535) add(`null latency ${latencyBucket(tookMs)}`);
    // Number 255 stands for several findings.
    if (finding !== null && finding !== 255) {
      add(`null finding r${finding}`);
      if ((flags & 3) > 0) add(`null ${flags >= 8 ? 'observed' : 'stopped'} r${finding}`);
    }
    for (const [place, number] of reasonNumbers(reasons).entries()) {
      // Number 31 stands for several reasons.
      if (number === 31) continue;
      add(`null reason r${number}`, weights[place]);
      if ((flags & 3) > 0) add(`null given r${number}`);
    }
  }
  return sums;
}

it('gives the sums of records, by account and half hours', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 40 }), fc.nat(6), fc.nat(6), (all, from, to) => {
      const rollup = createRollup();
      for (const entry of all) rollup.add(entry);
      for (const account of [0, 1, 2]) {
        const coded = [...rollup.sumsOf(account, from, to)];
        const rows = addUp(coded, 'live', (_, number) => `r${number}`);
        const found = rows.map(({ slot, kind, name, shadow, count, weight }) => [
          `${slot} ${kind} ${name}${shadow ? ' shadow' : ''}`,
          [count, weight],
        ]);
        const within = (at: number) => at >= from * SLOT_MS && at < to * SLOT_MS;
        const expected = countDirectly(all.filter((entry) => entry.account === account && within(entry.at)));
        expect(Object.fromEntries(found)).toEqual(expected);
        const slots = coded.map(({ slot }) => slot);
        expect(slots).toEqual(slots.toSorted((a, b) => a - b));
      }
    }),
  );
});
