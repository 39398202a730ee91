/** The simulation for docs/scale.md: its parts behave like the real parts, and the document contains the measured figures. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const here = new URL('./', import.meta.url);
const load = (name: string) => import(new URL(`${name}.mjs`, here).href);
const readJson = (name: string) => JSON.parse(readFileSync(new URL(name, here), 'utf8'));
const assumptions = readJson('assumptions.json');

describe('the simulation of docs/scale.md', () => {
  it('places accounts where Redis Cluster does', async () => {
    const { slotOf } = await load('accounts');
    // The check value of CRC-16/XMODEM.
    expect(slotOf('123456789')).toBe(0x31c3);
  });

  it('gives the largest account its share, and all together the whole', async () => {
    const { makeAccounts } = await load('accounts');
    const shares: number[] = makeAccounts(assumptions).map(({ share }: { share: number }) => share);
    expect(shares[0]).toBeCloseTo(assumptions.largestShare, 6);
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
  });

  it('counts what the counters hold as a count by hand does', async () => {
    const [{ createPeople }, { createRandom }, { createTable, createTally, PACKED }] = await Promise.all([
      load('people'),
      load('random'),
      load('keys'),
    ]);
    const attempts = 60_000;
    const people = createPeople(assumptions, createRandom(1, 'test'));
    const tally = createTally(createTable(2 * attempts).of(attempts));
    const networks = new Map<number, number>();
    const domains = new Map<number, Set<number>>();
    const addresses = new Set<number>();
    const mailboxes = new Set<number>();
    for (let index = 0; index < attempts; index += 1) {
      const attempt = index % 10 === 0 ? people.floods() : people.ordinary();
      tally.add(attempt);
      networks.set(attempt.network, (networks.get(attempt.network) ?? 0) + 1);
      const of = domains.get(attempt.domain) ?? new Set();
      domains.set(attempt.domain, of.add(attempt.address));
      addresses.add(attempt.address);
      mailboxes.add(attempt.mailbox);
    }
    const held = tally.held();
    const sizes = { network: [...networks.values()], domain: [...domains.values()].map(({ size }) => size) };
    for (const kind of ['network', 'domain'] as const) {
      const [packed, spread] = [(size: number) => size <= PACKED, (size: number) => size > PACKED].map(
        (fits) => sizes[kind].filter(fits).reduce((sum, size) => sum + size, 0),
      );
      expect(held[kind]).toEqual({ keys: sizes[kind].length, packed, spread });
    }
    expect(held.address).toMatchObject({ keys: addresses.size, packed: attempts });
    expect(held.mailbox).toMatchObject({ keys: mailboxes.size, packed: addresses.size });
    expect(held.hottest).toBe(Math.max(...sizes.domain));
  });

  it('hands a lock on in order, and shares a flush', async () => {
    const [{ createDisk, createLocks }, { createEventQueue }] = await Promise.all([
      load('servers'),
      load('event-queue'),
    ]);
    const queue = createEventQueue();
    const disk = createDisk(10, queue);
    const locks = createLocks(1);
    const ends: number[] = [];
    for (const start of [0, 1, 2])
      queue.at(start, (now: number) =>
        locks.take(now, 0, (taken: number) =>
          disk.flush(taken, (end: number) => {
            ends.push(end);
            locks.release(end, 0);
          }),
        ),
      );
    for (const start of [1, 2])
      queue.at(start, (now: number) => disk.flush(now, (end: number) => ends.push(end)));
    while (queue.size > 0) queue.next();
    // Requests without a lock share the second flush; each of the others needs its own flush, after its lock.
    expect(ends).toEqual([10, 20, 20, 30, 40]);
    expect(disk.flushes()).toBe(4);
  });

  it('keeps the documents to what was measured', async () => {
    const [{ inputTable }, { replayTable }] = await Promise.all([load('tables'), load('replay-table')]);
    const [scale, model] = ['../docs/scale.md', 'README.md'].map((path) =>
      readFileSync(new URL(path, here), 'utf8'),
    );
    expect(model).toContain(
      `<!-- inputs -->\n${inputTable(readJson('../bench/costs.json'))}\n<!-- /inputs -->`,
    );
    expect(scale).toContain(
      `<!-- replay -->\n${replayTable(readJson('../bench/replay.json'))}\n<!-- /replay -->`,
    );
  });
});
