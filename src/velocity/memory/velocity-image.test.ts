/** Counters that load an image count the same as the counters that saved it, whatever was counted before. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rounds } from '../../../test/support/long-version.ts';
import { seen as voicesOf } from '../counters-script.suite.ts';
import { createMemoryCounters, type MemoryCounters } from './memory.ts';
import { bytesFor } from './record-pool.ts';
import type { VelocityImage } from './velocity-image.ts';

const START = Date.UTC(2026, 4, 10);
const HOUR_MS = 3_600_000;
const step = fc.record({
  account: fc.constantFrom('acc_a', 'acc_b', 'acc_c'),
  afterMs: fc.oneof(fc.nat(1_000), fc.nat(HOUR_MS), fc.integer({ min: -2 * HOUR_MS, max: 30 * HOUR_MS })),
  network: fc.constantFrom(null, '203.0.113.7', '2001:db8::'),
  address: fc.nat(6),
  isUndone: fc.boolean(),
  isBlocked: fc.boolean(),
  isSwept: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A copy, as if read from a file. */
function copyOf({ state, words }: VelocityImage): VelocityImage {
  return { state: JSON.parse(JSON.stringify(state)), words: words.map((each) => each.slice()) };
}

function takenOver(counters: MemoryCounters, maxVelocityBytes: number): MemoryCounters {
  const next = createMemoryCounters({ maxVelocityBytes });
  expect(next.loadVelocity(copyOf(counters.saveVelocity() as VelocityImage))).toBe(true);
  return next;
}

function eventOf({ account, network, address }: Step, at: number) {
  return {
    id: 'req',
    account,
    at,
    network,
    domain: `${address % 2}.example`,
    addressHash: `a${address}`,
    mailbox: `m${address % 4}`,
  };
}

/** The results of each step, which runs on all counters. */
function run(
  all: readonly MemoryCounters[],
  steps: readonly Step[],
  from: number,
): { seen: unknown[]; at: number } {
  const seen: unknown[] = [];
  let at = from;
  for (const each of steps) {
    at += each.afterMs;
    const results = all.map((counters) => {
      const { counted } = counters.checkAndCount({
        bucket: 'b',
        window: null,
        credit: null,
        event: eventOf(each, at),
      });
      if (each.isUndone) void counted?.undo();
      if (each.isBlocked) void counted?.markBlocked();
      if (each.isSwept) counters.sweep(at);
      const { moves: _, velocityBytes: __, ...size } = counters.size();
      return { counts: counted?.counts, voices: counted && voicesOf(counted), size };
    });
    seen.push(results);
  }
  return { seen, at };
}

describe('an image of velocity', () => {
  it.each([
    ['much', bytesFor(10_000)],
    ['little', bytesFor(12)],
  ])('gives the same counts with %s memory', (_, maxBytes) => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 60 }),
        fc.array(step, { minLength: 1, maxLength: 60 }),
        (before, after) => {
          const first = createMemoryCounters({ maxVelocityBytes: maxBytes });
          const { at } = run([first], before, START);
          const second = takenOver(takenOver(first, maxBytes), maxBytes);
          for (const results of run([first, second], after, at).seen) {
            const [first, second] = results as [Record<string, unknown>, Record<string, unknown>];
            expect(withoutForgotten(second)).toEqual(withoutForgotten(first));
          }
        },
      ),
      { numRuns: rounds(20, 5_000) },
    );
  });

  it('forgets attempts of the same account where several accounts are the largest', () => {
    const maxBytes = bytesFor(12);
    const plain = {
      afterMs: 0,
      network: null,
      address: 0,
      isUndone: false,
      isBlocked: false,
      isSwept: false,
    };
    const steps = (letters: string) =>
      [...letters].map((letter): Step => ({ ...plain, account: `acc_${letter as 'a' | 'b' | 'c'}` }));
    const first = createMemoryCounters({ maxVelocityBytes: maxBytes });
    run([first], steps('cabbaa'), START);
    const second = takenOver(first, maxBytes);
    for (const results of run([first, second], steps('cbcacbab'), START).seen) {
      const [ofFirst, ofSecond] = results as [Record<string, unknown>, Record<string, unknown>];
      expect(withoutForgotten(ofSecond)).toEqual(withoutForgotten(ofFirst));
    }
  });

  it('contains many attempts with many keys, and large counts of one key', () => {
    const maxBytes = bytesFor(200_000);
    const first = createMemoryCounters({ maxVelocityBytes: maxBytes });
    for (let index = 0; index < 15_000; index += 1)
      first.checkAndCount({
        bucket: 'b',
        window: null,
        credit: null,
        event: {
          id: 'req',
          account: 'acc_a',
          at: START + index,
          network: `${index % 5_000}`,
          domain: 'example.com',
          addressHash: `${index}`,
          mailbox: `${index % 10_000}`,
        },
      });
    const second = takenOver(first, maxBytes);
    expect(second.size()).toEqual({ ...first.size(), moves: 0 });
    const event = {
      id: 'req',
      account: 'acc_a',
      at: START + 50_000,
      network: '7',
      domain: 'example.com',
      addressHash: 'new',
      mailbox: '11',
    };
    const counts = [first, second].map(
      (counters) =>
        counters.checkAndCount({ bucket: 'b', window: null, credit: null, event }).counted?.counts,
    );
    expect(counts[0]).toMatchObject({ network24h: 4, domain24h: 15_001, mailbox24h: 3 });
    expect(counts[1]).toEqual(counts[0]);
  });

  it('is refused by a larger or smaller memory, and by counters that have counted already', () => {
    const counters = createMemoryCounters({ maxVelocityBytes: bytesFor(1_000) });
    const [each] = fc.sample(step, 1) as [Step];
    run([counters], [{ ...each, isUndone: false, isSwept: false }], START);
    const image = copyOf(counters.saveVelocity() as VelocityImage);
    expect(createMemoryCounters({ maxVelocityBytes: bytesFor(2_000) }).loadVelocity(image)).toBe(false);
    expect(counters.loadVelocity(image)).toBe(false);
    expect(createMemoryCounters({ maxVelocityBytes: bytesFor(1_000) }).loadVelocity(image)).toBe(true);
  });

  it('is not made while stored attempts are counted', async () => {
    const counters = createMemoryCounters();
    const saved: unknown[] = [];
    await counters.restore(
      (async function* () {
        saved.push(counters.saveVelocity());
        yield [];
      })(),
    );
    expect(saved).toEqual([undefined]);
    expect(counters.saveVelocity()).toBeDefined();
  });
});

/** Each counts forgotten attempts since its own start. */
function withoutForgotten({ size, ...rest }: Record<string, unknown>) {
  const { forgotten: _, ...others } = size as Record<string, unknown>;
  return { ...rest, size: others };
}
