/** How every store must keep what people who were stopped wrote. */
import { describe, expect, it } from 'vitest';
import type { MakeId } from '../contract/identifiers.ts';
import type { Store } from './store.ts';
import { savePlainAccount } from './store-people.suite.ts';

const NOW = Date.UTC(2026, 4, 10, 10, 14, 33);
const FAR = NOW + 90 * 86_400_000;
const BY = { at: NOW + 5_000, by: 'Ana \u0000 ☃' };

export function describeAppeals(store: () => Store, makeId: MakeId): void {
  async function anAppeal(values: object = {}) {
    const accountId = await savePlainAccount(store(), makeId);
    const requestId = makeId('req', NOW);
    const plain = { requestId, accountId, mode: 'live', text: 'v1.sealed', at: NOW, expiresAt: FAR } as const;
    return { ...plain, ...values };
  }
  const readOf = ({ accountId }: { accountId: string }, now = NOW) =>
    store().appeals(accountId, { mode: 'live', since: NOW, now }, 10);

  describe('appeals', () => {
    it('are kept one a signup, with the newest text, a few times', async () => {
      const appeal = await anAppeal();
      expect(await store().saveAppeal(appeal, 2)).toBe(true);
      const second = { ...appeal, text: 'v1.second', at: NOW + 1 };
      expect(await store().saveAppeal(second, 2)).toBe(true);
      expect(await store().saveAppeal({ ...appeal, text: 'v1.third' }, 2)).toBe(false);
      expect(await readOf(appeal)).toEqual([second]);
      expect(await store().findAppeal(appeal.accountId, appeal.requestId, NOW)).toEqual(second);
      const stranger = await anAppeal();
      expect(await store().findAppeal(stranger.accountId, appeal.requestId, NOW)).toBeUndefined();
    });

    it('are closed once, opened again, and open when somebody writes again', async () => {
      const appeal = await anAppeal();
      const { accountId, requestId } = appeal;
      await store().saveAppeal(appeal, 3);
      expect(await store().closeAppeals(accountId, [{ requestId, at: NOW - 1 }], BY)).toEqual([]);
      expect(await store().closeAppeals(accountId, [appeal], BY)).toEqual([requestId]);
      expect(await store().closeAppeals(accountId, [appeal], BY)).toEqual([]);
      expect((await readOf(appeal))[0]?.closed).toEqual(BY);
      expect(await store().reopenAppeals(accountId, [requestId], BY.at - 1)).toEqual([]);
      expect(await store().reopenAppeals(accountId, [requestId], BY.at)).toEqual([requestId]);
      await store().closeAppeals(accountId, [appeal], BY);
      await store().saveAppeal({ ...appeal, at: BY.at + 1 }, 3);
      expect((await readOf(appeal))[0]?.closed).toBeUndefined();
    });

    it('are not shown once they are over, and then removed', async () => {
      const appeal = await anAppeal({ expiresAt: NOW + 10 });
      await store().saveAppeal(appeal, 3);
      expect(await readOf(appeal, NOW + 9)).toHaveLength(1);
      expect(await readOf(appeal, NOW + 10)).toEqual([]);
      expect(await store().pruneAppeals(NOW + 9, 10)).toBe(0);
      expect(await store().pruneAppeals(NOW + 10, 10)).toBe(1);
      expect(await readOf(appeal, NOW)).toEqual([]);
    });
  });
}
