/** Messages of the dashboard's API about personal data. */

/** How much is kept of a person, or was erased. */
export interface PersonCounts {
  readonly assessments: number;
  /** Reports about them. */
  readonly feedback: number;
  readonly list_entries: number;
}
