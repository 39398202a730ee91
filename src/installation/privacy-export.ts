/** The export for a person who asks for their data. */

import { answerBodyOf } from '../signup/rebuild-answer.ts';
import type { Store } from '../store/store.ts';
import type { PersonData } from './privacy.ts';
import { exportMailboxAddress } from './privacy-mailboxes.ts';

const instant = (at: number) => new Date(at).toISOString();

/** The stored assessment with its answer, its report and the result of its challenge. */
export async function exportPersonData(
  store: Store,
  account: string,
  { assessments, entries, mailboxAddresses }: PersonData,
) {
  const feedback = [];
  const challenges = [];
  for (const { requestId } of assessments) {
    const whole = await store.findAssessment(account, requestId);
    if (whole?.feedback) feedback.push({ requestId, ...whole.feedback, at: instant(whole.feedback.at) });
    if (whole?.challenge) challenges.push({ requestId, ...whole.challenge });
  }
  return {
    assessments: assessments.map((stored) => ({
      ...stored,
      at: instant(stored.at),
      answer: JSON.parse(answerBodyOf(stored)) as unknown,
    })),
    feedback,
    challenges,
    list_entries: entries,
    mailbox_addresses: mailboxAddresses.map(exportMailboxAddress),
  };
}
