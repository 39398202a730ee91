/** The port for texts that outlive the process. */

/** A text fetched from elsewhere. */
export interface StoredText {
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Texts fetched from elsewhere, by name. Losing one costs another fetch, nothing more. */
export interface TextCache {
  /** Whether other processes write the same texts. */
  readonly isShared: boolean;
  /**
   * Returns expired texts too. Never rejects: a text that cannot be read soon is `undefined`. Includes texts that wait to be
   * written.
   */
  get(name: string): Promise<StoredText | undefined>;
  /** Reads a text as it is stored, without a deadline and without what waits to be written. Rejects when it cannot be read. */
  read(name: string): Promise<StoredText | undefined>;
  /** Does not wait for the write; a failed write is reported and the text is lost. */
  set(name: string, text: string, expiresAt: number): void;
}
