/** A key or hook whose signups nearly all have one address. */

/** One address dominates a key. */
export interface SharedAddress {
  readonly keyId: string;
  readonly account: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
  /**
   * `everybody`: the key never had other addresses, so a burst says nothing of a visitor. `doubtful`: it had, so this may be an
   * attack, and bursts count as before.
   */
  readonly kind: 'everybody' | 'doubtful';
}
