/** The export for a person who asks for their data. */

import { answerBodyOf } from '../signup/rebuild-answer.ts';
import type { Store } from '../store/store.ts';
import type { PersonData } from './privacy.ts';
import { exportMailboxAddress } from './privacy-mailboxes.ts';
import { personWords, type RecordKeeping, type ToldSignup } from './privacy-words.ts';

const instant = (at: number) => new Date(at).toISOString();

/** Tells in plain sentences what is stored, and gives each assessment with its answer, its report and the result of its challenge. */
export async function exportPersonData(
  store: Store,
  account: string,
  data: PersonData,
  keeping: RecordKeeping,
) {
  const { assessments, entries, mailboxAddresses } = data;
  const signups: ToldSignup[] = [];
  const feedback = [];
  const challenges = [];
  for (const stored of assessments) {
    const { requestId } = stored;
    const whole = await store.findAssessment(account, requestId);
    if (whole?.feedback) feedback.push({ requestId, ...whole.feedback, at: instant(whole.feedback.at) });
    if (whole?.challenge) challenges.push({ requestId, ...whole.challenge });
    signups.push({ stored, feedback: whole?.feedback ?? null, challenge: whole?.challenge ?? null });
  }
  return {
    in_words: personWords(signups, data, keeping),
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
