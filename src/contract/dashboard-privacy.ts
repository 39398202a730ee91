/** Messages of the dashboard's API about personal data, and the person that they are about. */

/** A person in canonical texts. */
export interface PersonTexts {
  readonly account: string;
  readonly email: string;
  readonly ip?: string;
  readonly session?: string;
}

/** Numbers of records that are kept of a person, or were erased. */
export interface PersonCounts {
  readonly assessments: number;
  /** Reports about them. */
  readonly feedback: number;
  readonly list_entries: number;
  /** Addresses of their mailbox that are kept for months, as hashes. */
  readonly mailbox_addresses: number;
  /** Day until which these stay although the person is erased: `2027-02-27`; `null`: they are erased, too. */
  readonly mailbox_addresses_stay_until: string | null;
}

/** Result of a search for a person. */
export interface FoundPerson extends PersonCounts {
  /** Value of the filter `mailbox` that finds the signups of their mailbox: its keyed hashes. */
  readonly mailbox: string;
}

/** A part of the export that a person can read who knows nothing of Gatehouse. */
export interface PersonChapter {
  readonly title: string;
  readonly sentences: readonly string[];
}

/** The stored data of a person: in plain sentences, and as it is stored. */
export interface PersonExport {
  readonly in_words: readonly PersonChapter[];
}
