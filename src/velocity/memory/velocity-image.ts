/** What velocity counts, as plain numbers that can be kept between two runs of a process. */

/** Image of `Velocity`, which alone knows what it means. It is valid until anything is counted. */
export interface VelocityImage {
  /** Can be written as JSON. */
  readonly state: VelocityState;
  readonly words: readonly Int32Array[];
}

export interface VelocityState {
  /** Size of the memory: the places of the numbers depend on it. */
  readonly maxBytes: number;
  /** Secret of the hash, in hexadecimal digits. */
  readonly secret: string;
  readonly serial: number;
  readonly accountNumber: number;
  readonly accounts: readonly AccountState[];
  readonly pool: PoolState;
  readonly counts: KeyCountsState;
}

/** `null` for times that have not come yet. */
export interface AccountState {
  readonly id: string;
  readonly number: number;
  readonly records: number;
  readonly length: number;
  readonly chain: readonly [first: number, firstInHour: number, last: number];
  readonly now: number | null;
  readonly setBack: number;
  readonly newest: number | null;
  readonly partialUntil: number | null;
}

/** State of each segment; those that are not held have no words. */
export interface PoolState {
  readonly inUse: readonly number[];
  readonly touched: readonly number[];
  readonly free: readonly number[];
  readonly held: readonly boolean[];
}

export interface KeyCountsState {
  readonly hours: readonly number[];
  readonly days: readonly number[];
  readonly free: readonly number[];
}

/** JSON has no infinite numbers. */
export function toFinite(time: number): number | null {
  return Number.isFinite(time) ? time : null;
}

export function fromFinite(time: number | null): number {
  return time ?? Number.NEGATIVE_INFINITY;
}
