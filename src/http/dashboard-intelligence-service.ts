/** The port to the intelligence of the installation: what people see of it and change in it. */
import type { FeedStatus } from '../model/feed-status.ts';
import type { SourceInfo, SourceListing } from '../model/source.ts';

export interface SourceCheck {
  /** The text that was checked, in canonical form. */
  readonly subject: string;
  readonly kind: 'domain' | 'ip';
  readonly listings: readonly SourceListing[];
}

export interface IntelligenceService {
  /** Whether feeds are fetched at all. */
  readonly fetching: boolean;
  snapshot(): { readonly id: string; readonly sources: readonly SourceInfo[] };
  /** Time at which the current snapshot became active, milliseconds since the epoch; `null`: at the start. */
  since(): number | null;
  feeds(): readonly FeedStatus[];
  refreshing(): boolean;
  /** @throws when it cannot be done now */
  refresh(ids: readonly string[]): Promise<void>;
  /** @throws when there is no earlier version, or it cannot be done now */
  rollBack(id: string): Promise<void>;
  /** Uses the version that waits for a person, or that was not taken. @throws when there is none, or it cannot be done now */
  use(id: string): Promise<void>;
  /** Keeps the version before it. @throws likewise */
  keep(id: string): Promise<void>;
  /** Looks up an IP address, a domain or an email address; `undefined` when the text is none of them. */
  check(text: string): SourceCheck | undefined;
  /** Name of an autonomous system; empty where it is not known. */
  asName(asn: number): string;
  /** Autonomous systems that have a word which begins with a text, at most `max`, the best match first. */
  asesNamed(text: string, max: number): readonly { readonly asn: number; readonly name: string }[];
}

/** Time at which a version of a source became stale; `undefined` where that is not known. */
export function staleFrom(
  intelligence: IntelligenceService,
  source: string,
  version: string,
): number | undefined {
  const feed = intelligence.feeds().find(({ id }) => id === source);
  return feed?.versions.find((entry) => entry.version === version)?.staleFrom;
}
