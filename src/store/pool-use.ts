/** How the connections of a pool are used. */

/** A pool of connections to a database server. */
export interface PoolUse {
  /** `idle` of them are not in use now. */
  readonly open: number;
  readonly idle: number;
  /** Calls that wait for a connection. */
  readonly waiting: number;
}
