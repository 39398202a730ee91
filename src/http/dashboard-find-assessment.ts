/** Finds the signup of an account that a path names. */
import { Problem } from '../contract/problem.ts';
import type { HistoryStore, WholeAssessment } from '../store/history-store.ts';
import type { Account } from '../store/store.ts';

export type AssessmentFinder = Pick<HistoryStore, 'findAssessment'>;

/** @returns a function that throws Problem `not_found` for a signup that the account lacks */
export function createFindAssessment(store: AssessmentFinder) {
  return async (account: Account, requestId: string | undefined): Promise<WholeAssessment> => {
    const whole = await store.findAssessment(account.id, requestId ?? '');
    if (whole === undefined) throw unknownAssessment();
    return whole;
  };
}

export function unknownAssessment(): Problem {
  return new Problem('not_found', undefined, {
    message: 'This account has no signup with this id.',
    resolution: 'Look for it in the list of signups.',
  });
}
