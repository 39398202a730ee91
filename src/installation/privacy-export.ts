/** The export for a person who asks for their data. */

import { answerBodyOf } from '../signup/rebuild-answer.ts';
import type { Store } from '../store/store.ts';
import type { PersonData } from './privacy.ts';
import { exportMailboxAddress } from './privacy-mailboxes.ts';
import { personWords, type RecordKeeping, type ToldSignup } from './privacy-words.ts';

const instant = (at: number) => new Date(at).toISOString();

/** Tells in plain sentences what is stored, and gives each assessment with its answer, its report, the result of its challenge and what became of it. */
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
  const outcomes = [];
  for (const stored of assessments) {
    const { requestId } = stored;
    const whole = await store.findAssessment(account, requestId);
    if (whole?.feedback) feedback.push({ requestId, ...whole.feedback, at: instant(whole.feedback.at) });
    if (whole?.challenge) challenges.push({ requestId, ...whole.challenge });
    const marks = await store.outcomesOf(requestId);
    for (const { outcome, at, by } of marks) outcomes.push({ requestId, outcome, at: instant(at), by });
    const { feedback: report = null, challenge = null } = whole ?? {};
    signups.push({ stored, feedback: report, challenge, outcomes: marks });
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
    outcomes,
    list_entries: entries,
    mailbox_addresses: mailboxAddresses.map(exportMailboxAddress),
  };
}
