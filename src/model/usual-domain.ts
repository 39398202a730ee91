/** A domain of which ordinary people have come to an account for weeks, as it is learned and stored. */

/** Fewer people are no norm: such a domain may be one person's own. */
export const MIN_USUAL_PEOPLE = 10;
/** Time without anybody after which a domain is usual no more: it may have been sold. */
export const USUAL_PAUSE_MS = 90 * 86_400_000;

/** Times are milliseconds since the epoch. */
export interface UsualDomain {
  readonly accountId: string;
  /** The part that somebody registered. */
  readonly domain: string;
  /** People who came and were not stopped, at least `MIN_USUAL_PEOPLE`; who comes on several days counts on each. 0: the domain is usual no more. */
  readonly people: number;
  /** Distinct networks that they came from, an estimate. */
  readonly networks: number;
  /** Time of the first of them. */
  readonly since: number;
  /** Time of the newest, at most a day or a twentieth of the people too early. */
  readonly lastAt: number;
}
