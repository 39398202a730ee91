/** A person by keyed hashes alone: what may be kept after an erasure, to erase the same person again in a restored backup. */
export interface HashedPerson {
  readonly account: string;
  /** Hashes of address and mailbox, and of an IP or a session where these were named, each under every key in use then. */
  readonly hashes: readonly string[];
  /** Only signups stored until then, milliseconds since the epoch. */
  readonly until: number;
}
