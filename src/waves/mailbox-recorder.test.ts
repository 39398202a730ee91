/** The recorder of mailboxes stores each address once, a few at a time, and loses nothing when the store fails. */
import { describe, expect, it } from 'vitest';
import type { MailboxUse } from '../model/mailbox-address.ts';
import { createMailboxRecorder } from './mailbox-recorder.ts';

const NOW = Date.UTC(2026, 4, 10);

function createScene(maxWaiting?: number) {
  const writes: (readonly MailboxUse[])[] = [];
  const faults: Error[] = [];
  const scene = { fails: false };
  const recorder = createMailboxRecorder({
    store: {
      async saveMailboxUses(uses) {
        if (scene.fails) throw new Error('the database is away');
        writes.push(uses);
      },
    },
    onFault: (error) => void faults.push(error),
    ...(maxWaiting !== undefined && { maxWaiting }),
  });
  return { scene, recorder, writes, faults };
}

const use = (address: string, fields: Partial<MailboxUse> = {}): MailboxUse => {
  return { accountId: 'acc_1', mailbox: 'jo', address, at: NOW, isBlocked: false, ...fields };
};

describe('the recorder of mailboxes', () => {
  it('stores each address once, with its newest use, and nothing twice', async () => {
    const { recorder, writes } = createScene();
    recorder.learned([use('a', { isBlocked: true }), use('b')]);
    recorder.learned([use('a', { at: NOW + 1 }), use('b', { at: NOW - 1, isBlocked: true })]);
    await recorder.flush();
    await recorder.flush();
    expect(writes).toEqual([[use('a', { at: NOW + 1 }), use('b')]]);
  });

  it('stores many in several writes', async () => {
    const { recorder, writes } = createScene();
    recorder.learned(Array.from({ length: 1_001 }, (_, at) => use(String(at))));
    await recorder.flush();
    expect(writes.length).toBeGreaterThan(1);
    expect(writes.flat()).toHaveLength(1_001);
    for (const write of writes) expect(write.length).toBeLessThanOrEqual(1_000);
  });

  it('keeps what could not be stored, with what came meanwhile', async () => {
    const { scene, recorder, writes } = createScene();
    scene.fails = true;
    recorder.learned([use('a')]);
    await expect(recorder.flush()).rejects.toThrow('away');
    recorder.learned([use('a', { at: NOW + 1 })]);
    scene.fails = false;
    await recorder.close();
    expect(writes).toEqual([[use('a', { at: NOW + 1 })]]);
  });

  it('says at its end that something could not be stored', async () => {
    const { scene, recorder, faults } = createScene();
    scene.fails = true;
    recorder.learned([use('a')]);
    await recorder.close();
    expect(faults).toHaveLength(1);
  });

  it('lets no more wait than it may', async () => {
    const { recorder, writes } = createScene(3);
    recorder.learned(Array.from({ length: 9 }, (_, at) => use(String(at))));
    await recorder.flush();
    expect(writes.flat()).toHaveLength(3);
  });
});
