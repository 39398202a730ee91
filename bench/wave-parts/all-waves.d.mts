export interface MonthPart {
  readonly name: string;
  /** `null`: each seed has another. */
  readonly size: number | null;
  readonly hours: number;
  /** One sentence. */
  readonly shape: string;
  /** Key in `sources.json`. */
  readonly source: string;
}

export interface Wave extends MonthPart {
  readonly atProvider?: boolean;
  readonly isDecoy?: boolean;
}

export const WAVES: readonly Wave[];
