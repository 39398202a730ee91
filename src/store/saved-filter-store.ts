/** The port for filters of signups that people save under a name, each for herself and one account. */

export interface SavedFilter {
  readonly id: string;
  readonly accountId: string;
  readonly userId: string;
  /** Unique among a person's filters of an account. */
  readonly name: string;
  /** Filter as a page's address has it: `verdict=block&period=7d`. */
  readonly query: string;
}

export type FilterOwner = Pick<SavedFilter, 'accountId' | 'userId'>;

/** Max. number of filters that a person may have in an account. */
export const MAX_SAVED_FILTERS = 50;

export interface SavedFilterStore {
  /** Filters in the order of their names. */
  savedFilters(of: FilterOwner): Promise<readonly SavedFilter[]>;
  /** False, and nothing is stored, where the name is taken or the person has `MAX_SAVED_FILTERS`. @throws when there is no such user or account */
  saveFilter(filter: SavedFilter): Promise<boolean>;
  /** False, and nothing changes, where the person has no such filter or the name is taken. */
  renameFilter(filter: FilterOwner & Pick<SavedFilter, 'id' | 'name'>): Promise<boolean>;
  /** False where the person has no such filter. */
  removeFilter(filter: FilterOwner & Pick<SavedFilter, 'id'>): Promise<boolean>;
}
