/** Decides whom a shared office would have helped: judges the stopped signups that it covers again, without their bursts. */
import type { OfficePreview } from '../contract/dashboard-account.ts';
import type { Policy, WeightSet } from '../model/policy.ts';
import { judge } from '../signup/judge.ts';
import { decisionRecordOf } from '../signup/rebuild-answer.ts';
import type { HistoryStore, ListCandidate } from '../store/history-store.ts';

export interface OfficeTrialOptions {
  readonly store: Pick<HistoryStore, 'findAssessment'>;
  readonly accountId: string;
  /** The office's value as people see it. */
  readonly value: string;
  /** Weights in force now. */
  readonly weights: WeightSet;
}

/** Each is read and judged on its own. */
const MAX_JUDGED = 500;

export function createOfficeTrial({ store, accountId, value, weights }: OfficeTrialOptions) {
  const people = new Set<string>();
  const stopped: ListCandidate['row'][] = [];
  const office = { id: '', kind: 'domain_network' as const, value, reason: null };

  async function judgeAgain(requestId: string) {
    const whole = await store.findAssessment(accountId, requestId);
    if (whole === undefined) return undefined;
    const { evidence, thresholds } = decisionRecordOf(whole.stored);
    const policy: Policy = { ...weights, thresholds };
    return judge({ ...evidence, office }, policy).verdict;
  }

  return {
    /** @param decides whether no other entry decides it */
    add({ row, mailboxHash }: ListCandidate, decides: boolean): void {
      people.add(mailboxHash);
      const isStopped = row.verdict !== 'allow' && !row.shadow;
      if (decides && isStopped && stopped.length < MAX_JUDGED) stopped.push(row);
    },
    /** @param gone aborted when the client has disconnected */
    async total(gone: AbortSignal): Promise<OfficePreview> {
      const after = { allow: 0, challenge: 0, block: 0 };
      const letIn = { good: 0, fraud: 0 };
      for (const { requestId, feedback } of stopped) {
        gone.throwIfAborted();
        const verdict = await judgeAgain(requestId);
        if (verdict === undefined) continue;
        after[verdict] += 1;
        if (verdict !== 'allow') continue;
        if (feedback === 'false_positive') letIn.good += 1;
        else if (feedback !== null) letIn.fraud += 1;
      }
      const judged = after.allow + after.challenge + after.block;
      return { people: people.size, judged, after, let_in: letIn };
    },
  };
}
