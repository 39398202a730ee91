/** Messages of the dashboard's API about what a person searches for. */
import type { KeyMode } from '../model/key-mode.ts';
import type { AssessmentFilter, IndexBacklog } from './dashboard-assessments.ts';
import type { Verdict } from './messages.ts';

/** Kinds of things that the service finds; the browser finds pages and commands itself. */
export const FIND_KINDS = [
  'signup',
  'mailbox',
  'ip',
  'domain',
  'network',
  'country',
  'finding',
  'reason',
  'session',
  'list_entry',
  'campaign',
  'key',
  'person',
] as const;
export type FindKind = (typeof FIND_KINDS)[number];

export interface FindBody {
  /** Text of at most 1,000 characters, of any kind. */
  readonly text: string;
  readonly mode: KeyMode;
}

export interface FindResult {
  /** Best first, at most 12. Empty: nothing is known of the text. */
  readonly suggestions: readonly FindSuggestion[];
  /** Set while the newest signups are not indexed, and so not counted. */
  readonly indexing: IndexBacklog | null;
}

export interface FindSuggestion {
  readonly kind: FindKind;
  /** Its id, where it has one: of a signup, an entry, a wave, a key or a person; else what the filter says. */
  readonly id: string;
  /** It is exactly what was typed; otherwise its name has a word that begins with the text. */
  readonly exact: boolean;
  /** `j***@example.com`, `AS64500 Example Hosting`, `Germany` */
  readonly title: string;
  /** A second line; may be empty. */
  readonly note: string;
  /** Leads to the signups; `null`: it has a page of its own. Without mode and period. */
  readonly filter: AssessmentFilter | null;
  /** The signups that the filter finds; `null` for what has no filter. */
  readonly signups: FoundSignups | null;
}

export interface FoundSignups {
  /** Number in the last 30 days. */
  readonly count: number;
  /** There may be more: only so many were read. */
  readonly at_least: boolean;
  /** The newest of all time; `null`: there is none. */
  readonly last: {
    /** RFC 3339. */
    readonly at: string;
    readonly verdict: Verdict;
    /** Answered with `allow` in shadow mode. */
    readonly shadow: boolean;
  } | null;
}
