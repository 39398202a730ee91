/** A key or hook whose signups nearly all have one address. */

/** One address dominates a key. */
export interface SharedAddress {
  readonly keyId: string;
  readonly account: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
  /**
   * `everybody`: a server or proxy has the address, and the key had no others, so a burst says nothing of a visitor. `doubtful`: the
   * key had others, or visitors can have such an address, so this may be an attack: bursts count.
   */
  readonly kind: 'everybody' | 'doubtful';
}
