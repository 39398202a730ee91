/** The strict reader compared with Node's parser: generated streams, and all known request smuggling, are read and answered the same. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rounds } from '../support/long-version.ts';
import { createStreams, everyByteChanged, type GeneratedStream } from '../support/strict-requests.ts';
import { startTwoReaders, type TwoReaders } from '../support/two-readers.ts';

/** Set GATEHOUSE_TEST_SEED to send other requests. */
const SEED = Number(process.env.GATEHOUSE_TEST_SEED ?? 20260510);
const STREAMS = rounds(1_500, 1_000_000);
/** Bytes of a usual request: all of them, or an evenly spread part. */
const CHANGES = rounds(1_000, 1_000_000);
const AT_ONCE = 200;
const SHOWN = 3;

let readers: TwoReaders;
beforeAll(async () => {
  readers = await startTwoReaders();
});
afterAll(() => readers?.close());

describe(`the strict reader, seed ${SEED}`, () => {
  it(`reads and answers ${STREAMS} generated streams as Node's parser does`, {
    timeout: 3_600_000,
  }, async () => {
    const before = readers.recognised();
    expect(await differences(createStreams(SEED, STREAMS))).toEqual([]);
    // The generator would prove nothing if Node's parser got all of them.
    expect(readers.recognised() - before).toBeGreaterThan(STREAMS / 4);
  });

  it("reads a usual request with any byte changed or inserted as Node's parser does", {
    timeout: 3_600_000,
  }, async () => {
    expect(await differences(everyByteChanged(CHANGES))).toEqual([]);
  });
});

/** The first streams that are not read and answered the same. */
async function differences(streams: Iterable<GeneratedStream>): Promise<unknown[]> {
  const found: unknown[] = [];
  const queue = streams[Symbol.iterator]();
  async function work(): Promise<void> {
    for (let next = queue.next(); next.done !== true && found.length < SHOWN; next = queue.next()) {
      const { packets } = next.value;
      const { strict, node } = await readers.compare(packets);
      if (strict !== node)
        found.push({ packets: packets.map((packet) => packet.toString('latin1')), strict, node });
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return found;
}
