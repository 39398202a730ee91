/** A key that people's addresses are hashed with, as it is stored. */
export interface HashKey {
  /** Grows with each rotation. */
  readonly number: number;
  /** 32 bytes, encrypted with the installation's secret; `null`: that secret itself is the key, as before the first rotation. */
  readonly encrypted: string | null;
  /** Milliseconds since the epoch: from then on it hashed, until the next one was made. */
  readonly createdAt: number;
}
