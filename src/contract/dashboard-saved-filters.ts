/** Messages of the dashboard's API about the filters of signups that a person saved. */

export interface SavedFilterRow {
  readonly id: string;
  /** Unique among the person's filters of the account. */
  readonly name: string;
  /** Filter as the address of the page has it, without live or sandbox: `verdict=block&period=7d`. */
  readonly query: string;
}
