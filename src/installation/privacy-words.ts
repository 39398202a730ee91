/** Says in plain sentences what is stored of a person, why it was decided so, who can see it and for how long, for the person themselves. */
import type { PersonChapter } from '../contract/dashboard-privacy.ts';
import { REASONS } from '../contract/reasons.ts';
import type { SignupOutcome } from '../model/outcome.ts';
import type { AccountState, TakeBackAccount } from '../model/take-back.ts';
import { countryName } from '../platform/country-names.ts';
import type { AppealText } from '../signup/appeals.ts';
import type { WholeAssessment } from '../store/history-store.ts';
import type { OutcomeMark } from '../store/outcome-store.ts';
import type { StoredAssessment } from '../store/stored-assessment.ts';
import type { PersonData } from './privacy.ts';

/** How long signups are kept; `null`: without an end, or by the other setting. */
export interface RecordKeeping {
  readonly retentionDays: number | null;
  readonly retentionPersonalDays: number | null;
  readonly retentionMonths: number | null;
  readonly retentionMailboxDays: number;
}

/** A signup with its report, the result of its challenge and what became of it. */
export type ToldSignup = Pick<WholeAssessment, 'feedback' | 'challenge'> & {
  readonly stored: StoredAssessment;
  readonly outcomes: readonly OutcomeMark[];
  readonly appeal: ToldAppeal | undefined;
  readonly holds: readonly Pick<TakeBackAccount, 'state'>[];
};

/** Text of the person about being stopped. */
export interface ToldAppeal extends AppealText {
  readonly at: number;
}

const DECISIONS = {
  allow: 'It was allowed',
  challenge: 'One more proof was asked for',
  block: 'It was blocked',
} as const;
const REPORTS = {
  false_positive: 'a good customer who was stopped',
  false_negative: 'fraud that was let in',
  confirmed_fraud: 'fraud',
} as const;
const OUTCOMES: Readonly<Record<SignupOutcome, string>> = {
  verified: 'you confirmed your address',
  never_verified: 'the address was not confirmed',
  bounced: 'a mail to the address could not be delivered',
  complained: 'a mail to the address was reported as spam',
  paid: 'you paid',
  banned: 'the account was closed for abuse',
};
const HOLDS: Readonly<Record<AccountState, string>> = {
  waiting: 'It is not held yet.',
  sent: 'It is being held.',
  held: 'It is held: you cannot sign in with it.',
  already: 'It had been held before.',
  missing: 'It was not found, so it is not held.',
  failed: 'It could not be held.',
  releasing: 'It is being released.',
  released: 'It was released.',
  changed: 'It was changed since, and was left as it is.',
};
const LISTS = {
  allow: 'always allowed',
  deny: 'always blocked',
  office: 'listed as a shared office, from which many people may sign up at once',
} as const;
const TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
const DAY_MS = 86_400_000;

export function personWords(
  signups: readonly ToldSignup[],
  data: PersonData,
  keeping: RecordKeeping,
): PersonChapter[] {
  return [
    { title: 'What is stored about you', sentences: summaryOf(data) },
    ...signups.map((signup) => ({
      title: `Your signup of ${instant(signup.stored.at)}`,
      sentences: signupWords(signup),
    })),
    ...(data.entries.length === 0 ? [] : [{ title: 'Lists that name you', sentences: entryWords(data) }]),
    ...(data.mailboxAddresses.length === 0
      ? []
      : [{ title: 'Addresses of your mailbox', sentences: mailboxWords(data, keeping) }]),
    { title: 'Who can see it', sentences: [...SEEN_BY] },
    { title: 'How long it is kept', sentences: keepingWords(keeping) },
  ];
}

const SEEN_BY = [
  'The people who may sign in to this account, and the operator of the installation, can see these signups.',
  'Every export of data leaves an entry in the audit log of the account, with who made it and when.',
];

function summaryOf({ assessments, reports, entries, mailboxAddresses }: PersonData): string[] {
  const signups = count(assessments.length, 'signup');
  return [
    `${signups}, ${count(reports, 'report')} about them, ${count(entries.length, 'list entry', 'list entries')} and ${count(mailboxAddresses.length, 'keyed hash of an address', 'keyed hashes of addresses')} of your mailbox are stored.`,
    'A keyed hash is a number that is made from a text with a secret: the text cannot be read from it, but the same text gives the same number.',
  ];
}

function signupWords({ stored, feedback, challenge, outcomes, appeal, holds }: ToldSignup): string[] {
  const { score, verdict, reasons, shadow, sessionId } = stored;
  return [
    stored.email === null
      ? `Your address is stored as ${stored.emailMasked} and as a keyed hash.`
      : `Your address is stored: ${stored.email}.`,
    stored.ip === null ? 'No IP address is stored.' : `Your IP address was ${stored.ip}${placeOf(stored)}.`,
    ...(sessionId === null ? [] : [`The session of your browser was called ${sessionId}.`]),
    `${DECISIONS[verdict]} automatically, by rules and not by a person. Score: ${score} of 100.`,
    ...(shadow ? ['This was only observed: the application was told to let you in.'] : []),
    ...(reasons.length === 0 ? ['Nothing was found against it.'] : ['This is what was found:']),
    ...reasons.map((code) => `${REASONS[code].label}: ${REASONS[code].meaning}`),
    ...(challenge === null ? [] : [`The further proof: ${challenge.status}.`]),
    ...(feedback === null
      ? []
      : [
          `On ${instant(feedback.at)} it was reported as ${REPORTS[feedback.outcome]}${feedback.note === null ? '' : `, with the note “${feedback.note}”`}.`,
        ]),
    ...appealWords(appeal),
    ...holds.map(holdWords),
    ...outcomes.map(({ outcome, at }) => `On ${instant(at)} it was noted: ${OUTCOMES[outcome]}.`),
  ];
}

function appealWords(appeal: ToldAppeal | undefined): string[] {
  if (appeal === undefined) return [];
  const reach = appeal.contact === null ? '' : ` You can be reached: ${appeal.contact}.`;
  return [`On ${instant(appeal.at)} you wrote: “${appeal.text}”.${reach}`];
}

function holdWords({ state }: ToldSignup['holds'][number]): string {
  return `Your account was put on a list of accounts to hold, because the signup was taken for part of an attack. ${HOLDS[state]}`;
}

function placeOf({ countryCode, asn }: StoredAssessment): string {
  const parts = [...(countryCode === '' ? [] : [countryName(countryCode)]), ...(asn > 0 ? [`AS${asn}`] : [])];
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

function entryWords({ entries }: PersonData): string[] {
  return entries.map(({ action, shown, reason, createdAt, expiresAt }) => {
    const end = expiresAt === null ? 'with no end date' : `until ${instant(expiresAt)}`;
    return `Since ${instant(createdAt)}, ${end}, ${shown} is ${LISTS[action]}${reason === null || reason === '' ? '' : `, because: ${reason}`}.`;
  });
}

function mailboxWords({ mailboxAddresses }: PersonData, { retentionMailboxDays }: RecordKeeping): string[] {
  return mailboxAddresses.map(
    ({ lastDay }) =>
      `A keyed hash of an address of your mailbox, last used on ${new Date(lastDay * DAY_MS).toISOString().slice(0, 10)}, is kept for ${count(retentionMailboxDays, 'day')} after that, to see when one mailbox signs up under many addresses.`,
  );
}

function keepingWords({ retentionDays, retentionMonths, retentionPersonalDays }: RecordKeeping): string[] {
  const whole =
    retentionMonths !== null
      ? `Signups are deleted ${count(retentionMonths, 'month')} after the month in which they were made.`
      : retentionDays === null
        ? 'Signups are kept for an unlimited time.'
        : `Signups are deleted after ${count(retentionDays, 'day')}.`;
  const personal =
    retentionPersonalDays === null
      ? 'IP addresses and masked addresses are kept as long as the signup.'
      : `IP addresses and masked addresses are removed from them after ${count(retentionPersonalDays, 'day')}.`;
  return [whole, personal, 'You may ask for all of it to be erased before that.'];
}

function instant(at: number): string {
  return `${TIME.format(at)} UTC`;
}

function count(number: number, singular: string, plural = `${singular}s`): string {
  return `${number} ${number === 1 ? singular : plural}`;
}
