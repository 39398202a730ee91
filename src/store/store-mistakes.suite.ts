/** How every store must keep which reports somebody has dealt with. */
import { describe, expect, it } from 'vitest';
import { anAssessment } from '../../test/support/an-assessment.ts';
import type { MakeId } from '../contract/identifiers.ts';
import type { Store } from './store.ts';

const NOW = Date.UTC(2026, 4, 10, 10, 14, 33);
const REPORTED = NOW + 60_000;
const CLOSED = NOW + 120_000;
const BY = { at: CLOSED, by: 'Ana \u0000 ☃' };

export function describeMistakes(store: () => Store, makeId: MakeId): void {
  async function reported(accountId = makeId('acc', NOW)) {
    const requestId = makeId('req', NOW);
    await store().record(anAssessment({ requestId, accountId, at: NOW, verdict: 'block' }));
    await report(requestId, REPORTED);
    return { accountId, requestId, at: REPORTED };
  }
  const report = (requestId: string, at: number) =>
    store().saveFeedback({ requestId, outcome: 'false_positive', note: 'a note', keyId: 'Jo', at });
  const closingOf = async (accountId: string, requestId: string) =>
    (await store().findAssessment(accountId, requestId))?.feedback?.closed;

  describe('reports', () => {
    it('are closed once, and opened again', async () => {
      const { accountId, ...one } = await reported();
      expect(await closingOf(accountId, one.requestId)).toBeUndefined();
      expect(await store().closeReports(accountId, [one], BY)).toEqual([one.requestId]);
      expect(await store().closeReports(accountId, [one], { ...BY, by: 'Bo' })).toEqual([]);
      expect(await closingOf(accountId, one.requestId)).toEqual(BY);
      const { entries } = await store().reportedMistakes(accountId, { mode: 'live', since: NOW }, null, 10);
      expect(entries.map(({ mark }) => mark.closed)).toEqual([BY]);
      expect(await store().reopenReports(accountId, [one], CLOSED - 1)).toEqual([]);
      expect(await store().reopenReports(accountId, [one], CLOSED)).toEqual([one.requestId]);
      expect(await closingOf(accountId, one.requestId)).toBeUndefined();
    });

    it('are open when they come after the closing, and are not closed if they are other ones than those that were seen', async () => {
      const { accountId, ...one } = await reported();
      await store().closeReports(accountId, [one], BY);
      await report(one.requestId, CLOSED + 1);
      expect(await closingOf(accountId, one.requestId)).toBeUndefined();
      expect(await store().closeReports(accountId, [one], { ...BY, at: CLOSED + 2 })).toEqual([]);
      const again = { ...one, at: CLOSED + 1 };
      expect(await store().closeReports(accountId, [again], { ...BY, at: CLOSED + 2 })).toHaveLength(1);
    });

    it('are closed by their own account alone, many at once, with one line of the audit log', async () => {
      const first = await reported();
      const others = await Promise.all([reported(first.accountId), reported(first.accountId)]);
      const stranger = await reported();
      const entry = { at: CLOSED, by: 'ana', accountId: first.accountId, action: 'feedback.close' };
      const audited = { ...entry, target: '4 signups', detail: 'seen' };
      const closed = await store().closeReports(first.accountId, [first, ...others, stranger], BY, audited);
      expect(closed.toSorted()).toEqual([first, ...others].map(({ requestId }) => requestId).toSorted());
      expect(await closingOf(stranger.accountId, stranger.requestId)).toBeUndefined();
      await store().closeReports(first.accountId, [first, stranger], BY, audited);
      expect(await store().closeReports(first.accountId, [], BY, audited)).toEqual([]);
      expect((await store().auditEntries(first.accountId, null, 10)).entries).toEqual([audited]);
    });
  });
}
