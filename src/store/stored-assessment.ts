/** The shape of an assessment as a store gives it back, with and without its number. */
import type { Verdict } from '../contract/messages.ts';
import type { ReasonCode } from '../contract/reasons.ts';
import type { KeyMode } from '../model/key-mode.ts';

/** The columns by which an assessment is found, counted and listed. Times are milliseconds since the epoch; `null` means absent. */
export interface AssessmentHead {
  readonly requestId: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly mode: KeyMode;
  /** It was answered with `allow`, independent of the verdict. */
  readonly shadow: boolean;
  readonly at: number;
  readonly verdict: Verdict;
  readonly score: number;
  readonly reasons: readonly ReasonCode[];
  readonly emailDomain: string;
  /** Keyed hash of the address. */
  readonly addressHash: string;
  /** Keyed hash of the mailbox the address delivers to. */
  readonly mailboxHash: string;
  /** Address for display: `j***@example.com`. */
  readonly emailMasked: string;
  /** The full address, only where the operator chose to keep it. */
  readonly email: string | null;
  /** Canonical text of the scored IP. */
  readonly ip: string | null;
  /** Network by which velocity counts the IP: itself, or its /64. */
  readonly network: string | null;
  readonly countryCode: string;
  readonly asn: number;
  readonly sessionId: string | null;
  /** Whole milliseconds that it took, as its answer says. */
  readonly processedMs: number;
  /** The combined weight of the findings behind each of `reasons`, 0 … 100, in their order; a database may round it to 6 digits. */
  readonly weights: readonly number[];
}

/** An assessment as a store gives it back. */
export interface StoredAssessment extends AssessmentHead {
  /**
   * Text that answer and explanation are made from, beside the head: `signup/facts.ts` writes it, and a store does not
   * look into it. Well-formed, without NUL.
   */
  readonly facts: string;
}

/** Number of a record: unique, in order of commit, nearly without gaps; from 1 on. */
interface Numbered {
  readonly seq: number;
}

export type NumberedAssessment = StoredAssessment & Numbered;
export type NumberedHead = AssessmentHead & Numbered;
