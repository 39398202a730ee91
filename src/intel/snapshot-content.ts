/** Everything that is compiled into a snapshot. */
import type { SourceInfo } from '../model/source.ts';
import type { NetworkClaims } from './network-claims.ts';

/** Everything the sources say, before they are compared with each other. A mask's bit is a place in `sources`. */
export interface SnapshotContent {
  readonly sources: readonly SourceInfo[];
  /** Canonical name → the sources that list it. */
  readonly domains: ReadonlyMap<string, bigint>;
  /** The sources among them that list a name together with all names below it, explicitly (`*.pp.ua`). */
  readonly wildcards: ReadonlyMap<string, bigint>;
  /** Whether strangers get names under a listed name, even if no source of the snapshot says so. */
  readonly isShared: (name: string) => boolean;
  readonly topLevels: ReadonlySet<string>;
  readonly roles: ReadonlySet<string>;
  /** Suffixes below which only institutions get names. */
  readonly institutions: ReadonlySet<string>;
  readonly networks: NetworkClaims;
  readonly asNames: ReadonlyMap<number, string>;
  /** AS number → the sources that list it. */
  readonly asnClaims: ReadonlyMap<number, bigint>;
}
