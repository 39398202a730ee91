export interface MonthRow {
  readonly email: string;
  readonly ip: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly kind: 'everyday' | 'crowd' | 'wave';
  readonly name: string;
}

export interface ZoneFacts {
  readonly mx: readonly string[];
  readonly registeredAt: number;
}

export interface Month {
  readonly rows: readonly MonthRow[];
  readonly zone: ReadonlyMap<string, ZoneFacts>;
}

export const FROM: number;
export const DAYS: number;
export const USUAL_SIZE: number;
export function generateMonth(options?: { readonly seed?: number; readonly size?: number }): Month;
export function toCsv(rows: readonly MonthRow[]): string;
