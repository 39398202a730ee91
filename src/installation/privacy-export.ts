/** The export for a person who asks for their data. */
import type { SecretBox } from '../accounts/secret-box.ts';
import { openAppeal } from '../signup/appeals.ts';
import { answerBodyOf } from '../signup/rebuild-answer.ts';
import type { Store } from '../store/store.ts';
import type { PersonData } from './privacy.ts';
import { exportMailboxAddress } from './privacy-mailboxes.ts';
import { personWords, type RecordKeeping, type ToldAppeal, type ToldSignup } from './privacy-words.ts';

const instant = (at: number) => new Date(at).toISOString();

/** Tells in plain sentences what is stored, and gives each assessment with its answer, its report, its appeal, the result of its challenge, what became of it, and where its account was held. */
export async function exportPersonData(
  store: Store,
  account: string,
  data: PersonData,
  keeping: RecordKeeping,
  box: SecretBox,
) {
  const { assessments, entries, mailboxAddresses } = data;
  const signups: ToldSignup[] = [];
  const feedback = [];
  const challenges = [];
  const outcomes = [];
  const appeals = [];
  const heldAccounts = [];
  for (const stored of assessments) {
    const { requestId } = stored;
    const whole = await store.findAssessment(account, requestId);
    if (whole?.feedback) feedback.push({ requestId, ...whole.feedback, at: instant(whole.feedback.at) });
    if (whole?.challenge) challenges.push({ requestId, ...whole.challenge });
    const marks = await store.outcomesOf(requestId);
    for (const { outcome, at, by } of marks) outcomes.push({ requestId, outcome, at: instant(at), by });
    const appeal = await findAppeal(store, box, account, requestId);
    if (appeal !== undefined) appeals.push({ requestId, ...appeal, at: instant(appeal.at) });
    const holds = await store.takeBacksOf(account, requestId);
    for (const { userId, state, before } of holds) heldAccounts.push({ requestId, userId, state, before });
    const { feedback: report = null, challenge = null } = whole ?? {};
    signups.push({ stored, feedback: report, challenge, outcomes: marks, appeal, holds });
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
    appeals,
    held_accounts: heldAccounts,
    list_entries: entries,
    mailbox_addresses: mailboxAddresses.map(exportMailboxAddress),
  };
}

async function findAppeal(
  store: Pick<Store, 'findAppeal'>,
  box: SecretBox,
  account: string,
  requestId: string,
): Promise<ToldAppeal | undefined> {
  const stored = await store.findAppeal(account, requestId, 0);
  return stored && { at: stored.at, ...openAppeal(box, stored) };
}
