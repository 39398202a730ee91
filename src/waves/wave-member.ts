/** A signup as a possible member of a wave, with all that is known of it. */
import type { Victim } from '../model/evidence.ts';
import type { NameFacts } from '../model/name-facts.ts';

export interface WaveMember {
  readonly accountId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly domain: string;
  /** The part of the domain that somebody registered. */
  readonly registrable: string;
  /** `provider`: strangers share it. `guarded`: something speaks for it. `relay`: its names are made by programs, also at a listed throw-away domain. `mistyped`: nobody meant it. */
  readonly domainKind: 'provider' | 'guarded' | 'relay' | 'mistyped' | 'private';
  /** Whether its domain may have been registered within the last months: it is not known to be older. */
  readonly mayBeNew: boolean;
  /** Whether its domain is one that people of one organisation share, and nothing is said against it. */
  readonly mayBeUsual: boolean;
  readonly name: NameFacts;
  readonly victim: Victim;
  /** Keyed hashes. */
  readonly mailbox: string;
  readonly addressHash: string;
  /** Whether the address is spelled as its mailbox is. */
  readonly isCanonical: boolean;
  /** A /24 or /48, as `rangeOf` writes it; `null` without a network, or where unrelated people share it. */
  readonly range: string | null;
  readonly isHosting: boolean;
  /** Registrable domains of its mail hosts. */
  readonly mailHosts: readonly string[];
  /** Whether the verdict was to challenge or to block it. */
  readonly isStopped: boolean;
  /** Whether it was answered with `allow`, in shadow mode whatever the verdict was. */
  readonly isLetIn: boolean;
  /** Whether it was answered with `block`. */
  readonly isBlocked: boolean;
}
