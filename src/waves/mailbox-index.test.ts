/** The index of mailboxes counts as a list of all addresses would, follows the store, and forgets who was erased. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PROPERTY_RUNS } from '../../test/support/property-runs.ts';
import { parseEmail } from '../address/email.ts';
import { dayOf, MAX_MAILBOX_ADDRESSES, type MailboxAddress } from '../model/mailbox-address.ts';
import type { EmailAddress } from '../model/signup-attempt.ts';
import {
  type CountedSubject,
  createMailboxIndex,
  createMailboxMemory,
  type MailboxIndexOptions,
} from './mailbox-index.ts';

const NOW = Date.UTC(2026, 4, 10, 10, 0, 0);
const TODAY = dayOf(NOW);
const DAYS = 90;

const kept = (address: string, fields: Partial<MailboxAddress> = {}): MailboxAddress => {
  const plain = { accountId: 'acc_1', mailbox: 'jo', lastDay: TODAY, isBlocked: false, isGood: false };
  return { ...plain, address, ...fields };
};
const attempt = (address: string, fields: Partial<CountedSubject> = {}): CountedSubject => ({
  account: 'acc_1',
  mailbox: 'jo',
  addressHash: address,
  at: NOW,
  email: parseEmail('jo+x@example.com') as EmailAddress,
  spelling: address === 'jo' ? 'canonical' : 'tagged',
  ...fields,
});

/** A store that can be changed, and an index that follows it. */
function createScene(options: Partial<MailboxIndexOptions> = {}) {
  const scene = { rows: [] as MailboxAddress[], version: 0, removals: 0, now: NOW, reads: 0 };
  const index = createMailboxIndex({
    source: {
      mailboxesVersion: async () => scene.version,
      mailboxRemovalsVersion: async () => scene.removals,
      async *mailboxChangesSince() {
        scene.reads += 1;
        yield* scene.rows;
      },
    },
    days: DAYS,
    clock: () => scene.now,
    ...options,
  });
  const save = async (...rows: readonly MailboxAddress[]) => {
    scene.rows = [...scene.rows, ...rows];
    scene.version += 1;
    await index.refresh();
  };
  return { scene, index, save };
}

describe('the index of mailboxes', () => {
  it('counts from the third address on, its own mailbox and account alone', async () => {
    const { index, save } = createScene();
    expect(index.count(attempt('jo+c'))).toBeNull();
    await save(kept('jo+a'), kept('al+a', { mailbox: 'al' }), kept('jo+z', { accountId: 'acc_2' }));
    expect(index.count(attempt('jo+c'))).toBeNull();
    await save(kept('jo+b'));
    expect(index.count(attempt('jo+c'))).toEqual({ all: 3, voices: 3 });
    // The second time, the same address is not another one.
    expect(index.count(attempt('jo+b'))).toBeNull();
    expect(index.count(attempt('jo+c', { account: 'acc_2' }))).toBeNull();
    expect(index.count(attempt('jo+c', { account: 'acc_3' }))).toBeNull();
  });

  it('counts an address for so many days after its last use', async () => {
    const { index, save } = createScene();
    await save(kept('jo+a', { lastDay: TODAY - DAYS + 1 }), kept('jo+b'));
    expect(index.count(attempt('jo+c'))).toMatchObject({ all: 3 });
    expect(index.count(attempt('jo+c', { at: NOW + 86_400_000 }))).toBeNull();
  });

  it('lets blocked ones count as one, and none against the owner, whose spelling is the mailbox itself', async () => {
    const { index, save } = createScene();
    await save(...Array.from({ length: 40 }, (_, at) => kept(`jo+${at}`, { isBlocked: true })));
    expect(index.count(attempt('jo+new'))).toEqual({ all: 41, voices: 2 });
    await save(...Array.from({ length: 12 }, (_, at) => kept(`jo+let${at}`)));
    expect(index.count(attempt('jo'))).toBeNull();
    expect(index.count(attempt('jo+new'))).toEqual({ all: 53, voices: 14 });
  });

  it('does not count a mailbox of a good customer', async () => {
    const { index, save } = createScene();
    await save(kept('jo+a'), kept('jo+b'), kept('jo+c'));
    expect(index.count(attempt('jo+d'))).toMatchObject({ all: 4 });
    await save(kept('jo+b', { isGood: true }));
    expect(index.count(attempt('jo+d'))).toBeNull();
    await save(kept('jo+b'));
    expect(index.count(attempt('jo+d'))).toMatchObject({ all: 4 });
  });

  it('finds what was hashed with an earlier key, and counts no address twice', async () => {
    const keys = { isRotated: false };
    const olderHashes = (text: string) => (keys.isRotated ? [`old ${text}`] : []);
    const { index, save } = createScene({ olderHashes });
    const mailbox = 'old jo@example.com';
    await save(
      kept('old jo+x@example.com', { mailbox }),
      kept('old 2', { mailbox }),
      kept('old 3', { mailbox }),
    );
    await save(kept('new 2'));
    expect(index.count(attempt('new 1'))).toBeNull();
    keys.isRotated = true;
    expect(index.count(attempt('new 1'))).toEqual({ all: 3, voices: 3 });
  });

  it('reads only when something changed, and once a day', async () => {
    const { scene, index, save } = createScene();
    await save(kept('jo+a'), kept('jo+b', { lastDay: TODAY - DAYS + 1 }));
    for (const _ of [1, 2]) await index.refresh();
    expect(scene.reads).toBe(1);
    scene.now += 86_400_000;
    await index.refresh();
    expect(scene.reads).toBe(2);
    expect(index.count(attempt('jo+c'))).toBeNull();
  });

  it('forgets whom an erasure removed, and the accounts that are deleted', async () => {
    const { scene, index, save } = createScene();
    const others = [kept('al+a', { mailbox: 'al' }), kept('al+b', { mailbox: 'al' })];
    await save(kept('jo+a'), kept('jo+b'), ...others);
    scene.rows = others;
    scene.removals += 1;
    await index.refresh();
    expect(index.count(attempt('jo+c'))).toBeNull();
    expect(index.count(attempt('al+c', { mailbox: 'al' }))).toMatchObject({ all: 3 });
    index.removeAccount('acc_1');
    expect(index.count(attempt('al+c', { mailbox: 'al' }))).toBeNull();
  });

  it('forgets what changed longest ago of the account that has the most, when its memory is full', async () => {
    const { index, save } = createScene({ maxAddresses: 100 });
    await save(kept('jo+a', { accountId: 'acc_2' }), kept('jo+b', { accountId: 'acc_2' }));
    for (let at = 0; at < 300; at += 1)
      await save(kept(`${at}+a`, { mailbox: `m${at}` }), kept(`${at}+b`, { mailbox: `m${at}` }));
    expect(index.count(attempt('jo+c', { account: 'acc_2' }))).toMatchObject({ all: 3 });
    expect(index.count(attempt('c', { mailbox: 'm299' }))).toMatchObject({ all: 3 });
    expect(index.count(attempt('c', { mailbox: 'm0' }))).toBeNull();
  });

  it('counts many addresses of one mailbox up to a limit, the newest ones', async () => {
    const { index, save } = createScene();
    await save(kept('jo+old', { lastDay: TODAY - 1 }));
    await save(...Array.from({ length: MAX_MAILBOX_ADDRESSES }, (_, at) => kept(`jo+${at}`)));
    expect(index.count(attempt('jo+new'))).toMatchObject({ all: MAX_MAILBOX_ADDRESSES + 1 });
    expect(index.count(attempt('jo+old'))).toMatchObject({ all: MAX_MAILBOX_ADDRESSES + 1 });
  });

  it('counts as a list would', () => {
    const row = fc.record({
      address: fc.integer({ min: 0, max: 9 }).map(String),
      mailbox: fc.constantFrom('jo', 'al'),
      accountId: fc.constantFrom('acc_1', 'acc_2'),
      lastDay: fc.integer({ min: TODAY - 2 * DAYS, max: TODAY }),
      isBlocked: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 60 }), (rows) => {
        const memory = createMailboxMemory({ days: DAYS });
        const list = new Map<string, MailboxAddress>();
        for (const each of rows) {
          memory.put({ ...each, isGood: false });
          const name = `${each.accountId} ${each.mailbox} ${each.address}`;
          const known = list.get(name) ?? { lastDay: 0, isBlocked: true };
          const lastDay = Math.max(known.lastDay, each.lastDay);
          const isBlocked = known.isBlocked && each.isBlocked;
          list.set(name, { ...each, lastDay, isBlocked, isGood: false });
        }
        for (const account of ['acc_1', 'acc_2'])
          for (const mailbox of ['jo', 'al']) {
            const counted = [...list.values()].filter(
              (each) =>
                each.accountId === account &&
                each.mailbox === mailbox &&
                each.address !== '3' &&
                each.lastDay > TODAY - DAYS,
            );
            const all = counted.length + 1;
            const blocked = counted.filter(({ isBlocked }) => isBlocked).length;
            expect(memory.count(attempt('3', { account, mailbox }))).toEqual(
              all < 3 ? null : { all, voices: all - Math.max(0, blocked - 1) },
            );
          }
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });
});
