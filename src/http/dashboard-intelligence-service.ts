/** The port to the intelligence of the installation, as far as people look at it and change it. */

/** How one feed stands. Times are milliseconds since the epoch. */
export interface ServiceFeed {
  readonly id: string;
  readonly condition: 'ok' | 'stale' | 'refused' | 'failed' | 'never' | 'off';
  readonly version: string | null;
  readonly fetchedAt: number | null;
  /** When its publisher last confirmed the version in force. */
  readonly seenAt: number | null;
  readonly entries: number;
  readonly refusal: { readonly at: number; readonly why: string } | null;
  readonly failure: string | null;
  readonly licence: string;
  readonly url: string;
  readonly says: string;
  readonly added: number | null;
  readonly removed: number | null;
  readonly canRollBack: boolean;
  readonly versions: readonly { readonly version: string; readonly staleFrom: number }[];
}

/** A source of the snapshot in force. */
export interface ServiceSource {
  readonly id: string;
  readonly says: string;
  /** `npm:<package>`, `gatehouse:<file>` or `feed:<id>`. */
  readonly origin: string;
  readonly licence: string;
  readonly version: string;
  readonly entries: number;
}

/** One entry of one source about what was asked. */
export interface ServiceListing {
  readonly source: string;
  readonly version: string;
  readonly fact: string;
  readonly entry: string;
  readonly holds: boolean;
  /** Why it does not hold; empty when it does. */
  readonly because: string;
  readonly departed: boolean;
}

export interface DeskAnswer {
  readonly asked: string;
  readonly kind: 'domain' | 'ip';
  readonly listings: readonly ServiceListing[];
}

export interface IntelligenceService {
  /** Whether feeds are fetched at all. */
  readonly fetching: boolean;
  snapshot(): { readonly id: string; readonly sources: readonly ServiceSource[] };
  /** When the snapshot in force took over, milliseconds since the epoch; `null`: it was there at the start. */
  since(): number | null;
  feeds(): readonly ServiceFeed[];
  refreshing(): boolean;
  /** @throws when it cannot be done now */
  refresh(ids: readonly string[]): Promise<void>;
  /** @throws when there is no earlier version, or it cannot be done now */
  rollBack(id: string): Promise<void>;
  /** Of an IP address, a domain or an email address; `undefined` when the text is none of them. */
  check(text: string): DeskAnswer | undefined;
}

/** From when on a version of a source was stale; `undefined` where that is not known. */
export function staleFrom(desk: IntelligenceService, source: string, version: string): number | undefined {
  const feed = desk.feeds().find(({ id }) => id === source);
  return feed?.versions.find((kept) => kept.version === version)?.staleFrom;
}
