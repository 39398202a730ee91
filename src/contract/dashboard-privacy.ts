/** Messages of the dashboard's API about personal data. */

/** Numbers of records that are kept of a person, or were erased. */
export interface PersonCounts {
  readonly assessments: number;
  /** Reports about them. */
  readonly feedback: number;
  readonly list_entries: number;
}
