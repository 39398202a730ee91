/** Messages of the dashboard's API about a person whom somebody helps. */
import type { ListEntryRow } from './dashboard-account.ts';
import type { FeedbackMark, Label } from './dashboard-assessments.ts';
import type { PlainAnswer } from './plain-answer.ts';

/** Whether an address is that of a signup: in this spelling, in another one of its mailbox, or not. */
export interface AddressMatch {
  readonly match: 'same' | 'mailbox' | 'none';
}

/** Help that a real customer got. */
export interface CustomerHelped {
  /** `null`: nothing was reported. */
  readonly feedback: FeedbackMark | null;
  /** `null`: nobody was put on the Allow list. */
  readonly entry: ListEntryRow | null;
  /** Token that takes it all back, for a minute. */
  readonly undo: string;
}

/** A report, with the token that takes it back for a minute. */
export interface GivenMark extends FeedbackMark {
  readonly undo: string;
}

/** A signup of the person who wrote. */
export interface SupportSignup extends PlainAnswer {
  readonly request_id: string;
  /** RFC 3339. */
  readonly at: string;
  /** Verdict that was answered: in shadow mode `allow`. */
  readonly verdict: 'allow' | 'challenge' | 'block';
  /** `j***@example.com`, or the whole address where the operator keeps it. */
  readonly email: string;
  readonly feedback: Label | null;
  /** Send it with a report: it is refused if somebody else reported something meanwhile. */
  readonly version: string;
  /** Action of the account's list entry that decided it; `null`: none did. */
  readonly listed: 'allow' | 'deny' | null;
}

/** The signups of a person, newest first, at most 10. */
export interface SupportAnswer {
  /** Kind of text that was looked for. */
  readonly by: 'address' | 'request' | 'session';
  readonly signups: readonly SupportSignup[];
  /** Whether there are more than ten. */
  readonly more: boolean;
}
