import { expect, it } from 'vitest';
import { AccountAttempts, releaseAttempt, type VelocityMemory } from './account-attempts.ts';
import { SERIAL } from './attempt-record.ts';
import { DistinctCounts } from './distinct-counts.ts';
import { KeyedHash } from './keyed-hash.ts';
import { NONE, RecordPool } from './record-pool.ts';
import { serialAfter } from './serial.ts';
import { Voices } from './voices.ts';

const MINUTE_MS = 60_000;

/** The same numbers each time. */
function createDice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

function createAccount() {
  const pool = new RecordPool();
  const discarded: number[] = [];
  let number = 0;
  const memory: VelocityMemory = {
    pool,
    counts: new DistinctCounts(pool, new KeyedHash(), 10_000),
    voices: new Voices(pool),
    nextAccountNumber: () => {
      number += 1;
      return number;
    },
    discard: (first) => discarded.push(first),
  };
  const release = () => {
    for (let next = discarded.pop() ?? NONE; next !== NONE; ) next = releaseAttempt(memory, next);
  };
  return { pool, memory, release, account: new AccountAttempts('acc', memory) };
}

it.each([1, 2])('voices with trails are those of a walk through all attempts (%i)', (seed) => {
  const dice = createDice(seed);
  const { pool, memory, release, account } = createAccount();
  const counted: { record: number; serial: number }[] = [];
  let [at, serial, compared] = [0, -1, 0];

  function count(): void {
    account.advance(at);
    serial = serialAfter(serial);
    const [person, domain] = [dice(400), dice(3)];
    const record = account.add(
      {
        id: `${serial}`,
        account: 'acc',
        at,
        network: dice(8) === 0 ? null : `2001:db8:${dice(5)}:${dice(4)}::`,
        domain: `${domain}.example`,
        addressHash: `${person}@${domain}`,
        mailbox: `${person % 40}@${domain}`,
      },
      serial,
    );
    counted.push({ record, serial });
  }

  /** Compares the voices of the newest attempt, or of one that was counted before others. */
  function compare({ record, serial: own }: { record: number; serial: number }): void {
    if (pool.get(record, SERIAL) !== own) return;
    const walk = new Voices(pool);
    expect(memory.voices.domainVoices(record)).toEqual(walk.domainVoices(record));
    expect(memory.voices.mailboxVoices(record)).toEqual(walk.mailboxVoices(record));
    expect(memory.voices.networkMailboxes(record)).toEqual(walk.networkMailboxes(record));
    compared += 1;
  }

  for (let step = 0; step < 1_500; step += 1) {
    const chosen = counted[Math.max(0, counted.length - 1 - dice(dice(2) === 0 ? 5 : 600))];
    const action = dice(40);
    if (action < 26 || chosen === undefined) count();
    else if (action < 30) at += dice(3 * MINUTE_MS);
    else if (action < 32) account.undo(chosen.record, chosen.serial);
    else if (action < 36) account.markBlocked(chosen.record, chosen.serial);
    else if (action < 38 && account.length > 300) account.forgetOldest();
    else if (action === 39 && dice(60) === 0) at += 25 * 60 * MINUTE_MS;
    release();
    const asked = dice(6) === 0 ? counted[counted.length - 1 - dice(40)] : counted.at(-1);
    if (dice(3) > 0 && asked !== undefined) compare(asked);
  }
  expect(compared).toBeGreaterThan(400);
});
