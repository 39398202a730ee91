/** The port for changes of what decides about signups, of several accounts at once: all of them are made, or none. */
import type { ListEntry } from '../model/list-entry.ts';
import type { Thresholds } from '../model/policy.ts';
import type { AuditEntry } from './audit-store.ts';
import type { NewPolicy } from './dashboard-store.ts';

/** Versions of the data that the changes were decided on. */
export interface RuleVersions {
  readonly directory: number;
  readonly lists: number;
}

export type RuleChange =
  | {
      readonly of: 'account';
      readonly id: string;
      /** `null`: the defaults. */
      readonly thresholds: Thresholds | null;
      readonly audit: AuditEntry;
    }
  | {
      readonly of: 'key';
      readonly id: string;
      /** `null`: those of its account. */
      readonly thresholds: Thresholds | null;
      readonly audit: AuditEntry;
    }
  /** Weights, at most once for each account. */
  | {
      readonly of: 'weights';
      readonly policy: NewPolicy;
      /** @param version of the policy: `custom-3` */
      readonly audit: (version: string) => AuditEntry;
    }
  /** An entry, as `saveListEntry` saves it. */
  | { readonly of: 'saved entry'; readonly entry: ListEntry; readonly audit: AuditEntry }
  | { readonly of: 'removed entry'; readonly id: string; readonly audit: AuditEntry };

export interface RuleChangeStore {
  /**
   * Makes the changes in one transaction, while the directory and the lists have these versions.
   * @throws StaleVersion otherwise, and then nothing is changed
   */
  changeRules(versions: RuleVersions, changes: readonly RuleChange[]): Promise<void>;
}
