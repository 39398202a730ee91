export interface MonthPart {
  readonly name: string;
  readonly size: number;
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
