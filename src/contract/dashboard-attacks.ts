/** Messages of the dashboard's API about an attack: a wave, or an alert about signups. */
import type { SharedFeature } from '../model/alert.ts';
import type { FilterMembers } from './dashboard-signup-counts.ts';

export interface AttackCard {
  readonly id: string;
  readonly kind: 'campaign' | 'alert';
  /** Name for people, also the reason of entries: `Wave at postfarm.example, 29 Nov`. */
  readonly name: string;
  /** Signups of it that were found, at most 5,000. */
  readonly total: number;
  /** Whether there may be more. */
  readonly partial: boolean;
  /** Signups that were answered with `allow`, and those of them that have no report yet. */
  readonly let_in: number;
  readonly unreported: number;
  readonly reports: { readonly good: number; readonly fraud: number };
  /** Instants of the first and the last; `null`: there is none. */
  readonly first_at: string | null;
  readonly last_at: string | null;
  /** The largest number within one minute. */
  readonly peak_per_minute: number;
  /** Values that at least 60 % have, the most telling first. */
  readonly shares: readonly AttackShare[];
  /** Filter of the signups that were let in. */
  readonly let_in_filter: FilterMembers;
  /** Filter of all. */
  readonly filter: FilterMembers;
  /** Actions of people and what was learned, the newest first. */
  readonly timeline: readonly AttackMoment[];
  /** Number of actions that can be taken back. */
  readonly undoable: number;
}

export interface AttackShare {
  readonly feature: Exclude<SharedFeature, 'mailbox' | 'finding'> | 'country';
  /** Value for people. */
  readonly label: string;
  readonly count: number;
}

export interface AttackMoment {
  readonly at: string;
  /** Person, token or command line; `null`: nobody. */
  readonly by: string | null;
  readonly what: 'first' | 'found' | 'last' | 'ended' | string;
  readonly detail: string;
}

/** An entry that would cover some of the attack. */
export interface BlockPlace {
  readonly kind: 'ip' | 'cidr' | 'domain';
  readonly value: string;
  /** Signups of the attack in it. */
  readonly covers: number;
  /** Other signups of the last 30 days in it; `let_in`: those that were answered with `allow`. */
  readonly others: number;
  readonly others_let_in: number;
  /** Reports about the others. */
  readonly good: number;
  readonly fraud: number;
  /** A few of the others, masked. */
  readonly examples: readonly string[];
  /** Whether it is one of the smallest set. */
  readonly chosen: boolean;
}

export interface BlockProposal {
  readonly places: readonly BlockPlace[];
  readonly total: number;
  /** Signups of the attack that the chosen places cover. */
  readonly covered: number;
  /** Reason that the entries get. */
  readonly reason: string;
  /** Whether its pattern is also blocked from then on: it is an open wave. */
  readonly confirms: boolean;
  /** Signups that were let in and have no report. */
  readonly unreported: number;
}

export interface BlockBody {
  readonly values: readonly string[];
  readonly reason: string;
  /** RFC 3339; `null`: never. */
  readonly expires_at: string | null;
  /** Whether those who were let in are reported as fraud. */
  readonly report: boolean;
}

export interface AttackDone {
  /** Number of entries, reports and decisions that were made. */
  readonly entries: number;
  readonly reported: number;
  readonly confirmed: boolean;
  /** Values that were not added, each with a sentence for people. */
  readonly refused: readonly { readonly value: string; readonly message: string }[];
  /** Signups that are still without a report: send the same again. */
  readonly left: number;
}
