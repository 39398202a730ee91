import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { VelocityEvent } from '../../model/velocity-event.ts';
import { firstIdAt } from '../request-time.ts';
import { createEventOrder } from './event-order.ts';

const START = Date.UTC(2026, 4, 10);
const SPAN_MS = 10_000;
const PER_CHUNK = 1_000;

/** One whose id has this time. @param number makes the id unique */
function attemptAt(at: number, number: number): VelocityEvent {
  const id = `${firstIdAt(START + at)}${String(number).padStart(16, '0')}`;
  return { id, account: 'acc_a', at, network: null, domain: 'a.example', addressHash: 'a', mailbox: 'a' };
}

const idsOf = (attempts: readonly VelocityEvent[]) => attempts.map(({ id }) => id);

it('gives all attempts once and in order, in chunks, however batches overlap', () => {
  const batch = fc.record({ laterMs: fc.nat(3_000), count: fc.nat(600), seed: fc.nat(1_000) });
  fc.assert(
    fc.property(fc.array(batch, { maxLength: 30 }), (batches) => {
      const order = createEventOrder();
      const [all, taken]: [VelocityEvent[], VelocityEvent[]] = [[], []];
      let end = 0;
      const take = (chunk: readonly VelocityEvent[]) => {
        // Up to the end of the 32 ms with which there are enough.
        const last = Math.floor((START + (chunk.at(-1)?.at ?? 0)) / 32);
        const before = chunk.filter(({ at }) => Math.floor((START + at) / 32) < last);
        expect(before.length).toBeLessThan(PER_CHUNK);
        taken.push(...chunk);
      };
      for (const { laterMs, count, seed } of batches) {
        end += laterMs;
        const attempts = Array.from({ length: count }, (_, index) =>
          attemptAt(end + ((index * 7_919 + seed) % SPAN_MS), all.length + index),
        );
        all.push(...attempts);
        order.add(attempts);
        const before = firstIdAt(START + end);
        const chunk = order.take(before);
        if (chunk.length > 0) expect(chunk.length).toBeGreaterThanOrEqual(PER_CHUNK);
        expect(chunk.every(({ id }) => id < before)).toBe(true);
        take(chunk);
      }
      for (const chunk of order.rest()) take(chunk);
      expect(idsOf(taken)).toEqual(idsOf(all).sort());
    }),
    { numRuns: 30 },
  );
});

it('gives a chunk as soon as there are enough that nothing can come before', () => {
  const order = createEventOrder();
  order.add(Array.from({ length: 3 * PER_CHUNK }, (_, at) => attemptAt(at, at)));
  expect(order.take(firstIdAt(START + PER_CHUNK / 2))).toEqual([]);
  const first = order.take(firstIdAt(START + 2 * PER_CHUNK));
  expect(first.length).toBeGreaterThanOrEqual(PER_CHUNK);
  expect(first.length).toBeLessThan(PER_CHUNK + 32);
});
