/** A store in memory, as much of it as a signup needs: assessments, credits and idempotency keys. */
import type { IdempotencyClaim } from '../../src/model/idempotency-claim.ts';
import { monthOf } from '../../src/platform/month.ts';
import type { IdempotencyStore } from '../../src/store/idempotency-store.ts';
import type { AssessmentRecord, AssessmentStore } from '../../src/store/store.ts';

export interface FakeStore
  extends IdempotencyStore,
    Pick<AssessmentStore, 'record' | 'creditsUsed' | 'findStored'> {
  /** Stored records, oldest first. */
  readonly records: AssessmentRecord[];
  /** Error that `record` throws instead of storing anything. */
  failure: Error | undefined;
}

export function createFakeStore(): FakeStore {
  const records: AssessmentRecord[] = [];
  /** By key. */
  const claims = new Map<string, { readonly claim: IdempotencyClaim; isStored: boolean }>();
  const nameOf = ({ accountId, mode, operation, keyHash }: IdempotencyClaim) =>
    [accountId, mode, operation, keyHash].join(' ');
  const usedBy = (accountId: string, month: string) =>
    records.filter(
      (each) => each.accountId === accountId && each.mode === 'live' && monthOf(each.at) === month,
    ).length;
  const store: FakeStore = {
    records,
    failure: undefined,
    async record(record) {
      if (store.failure !== undefined) throw store.failure;
      const { accountId, mode, cap, claim, at } = record;
      const used = usedBy(accountId, monthOf(at));
      if (mode === 'live' && cap !== null && used >= cap) return { outcome: 'quota_exceeded', used };
      records.push(record);
      if (claim !== null) claims.set(nameOf(claim), { claim, isStored: true });
      return { outcome: 'recorded', used: usedBy(accountId, monthOf(at)) };
    },
    creditsUsed: async (accountId, month) => usedBy(accountId, month),
    async findStored(requestId, { accountId, mode }) {
      const found = records.find((each) => each.requestId === requestId);
      if (found?.accountId !== accountId || (mode === 'test' && found.mode !== 'test')) return undefined;
      const { cap: _, claim: __, ...stored } = found;
      return stored;
    },
    async claimKey(claim) {
      const known = claims.get(nameOf(claim));
      if (known === undefined) {
        claims.set(nameOf(claim), { claim, isStored: false });
        return { outcome: 'claimed' };
      }
      if (known.claim.bodyDigest !== claim.bodyDigest) return { outcome: 'conflict' };
      if (!known.isStored) return { outcome: 'busy' };
      return { outcome: 'stored', requestId: known.claim.requestId, answer: null };
    },
    async useKey(claim) {
      const known = claims.get(nameOf(claim));
      if (known === undefined) {
        claims.set(nameOf(claim), { claim, isStored: true });
        return 'claimed';
      }
      return known.claim.bodyDigest === claim.bodyDigest ? 'repeated' : 'conflict';
    },
    async releaseKey(requestId) {
      for (const [name, { claim, isStored }] of claims)
        if (claim.requestId === requestId && !isStored) claims.delete(name);
    },
    async forgetKey(requestId) {
      for (const [name, { claim }] of claims) if (claim.requestId === requestId) claims.delete(name);
    },
    pruneKeys: async () => 0,
  };
  return store;
}
