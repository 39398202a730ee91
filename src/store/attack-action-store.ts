/** The port for what people did about an attack, a wave or an alert, so that it can be taken back for a month. */
import type { Label } from '../contract/dashboard-assessments.ts';
import type { Campaign } from '../model/campaign.ts';
import type { ListEntry } from '../model/list-entry.ts';

/** Report about a signup. */
interface KeptReport {
  readonly outcome: Label;
  readonly note: string | null;
  readonly at: number;
  readonly by: string;
}

/** Decision about a campaign, and the campaign before it. */
export interface MadeDecision {
  readonly decidedAt: number;
  readonly before: Campaign;
}

/** Reports that were closed, as they are once everything else is taken back. */
export interface ClosedReports {
  /** Time at which they were closed. */
  readonly at: number;
  readonly reports: readonly { readonly requestId: string; readonly at: number }[];
}

/** Everything that is needed to take changes back, as far as nobody changed them since. */
export interface UndoSteps {
  readonly reports: readonly {
    readonly id: string;
    readonly mark: Pick<KeptReport, 'at' | 'outcome'>;
    readonly before: KeptReport | null;
  }[];
  readonly entries: readonly {
    readonly id: string;
    readonly version: string;
    readonly before: ListEntry | null;
  }[];
  readonly decisions: readonly MadeDecision[];
  readonly closed?: ClosedReports | undefined;
}

export interface AttackAction {
  readonly id: string;
  readonly accountId: string;
  /** Id of the campaign or alert. */
  readonly attack: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** `null`: it cannot be read, so that nothing can be taken back. */
  readonly undo: UndoSteps | null;
}

/** Actions are saved with the change that they take back, beside its audit entry: `AuditEntry.undo`. */
export interface AttackActionStore {
  /** Actions that can be taken back, the newest first. @param attack absent: those of the whole account */
  attackActions(accountId: string, attack?: string): Promise<readonly AttackAction[]>;
  /** Replaces what can be taken back. */
  changeAttackAction(accountId: string, id: string, undo: UndoSteps): Promise<void>;
  /** Forgets an action: it was taken back. */
  removeAttackAction(accountId: string, id: string): Promise<void>;
  /** Removes older ones. @returns how many */
  pruneAttackActions(before: number, maxPruned: number): Promise<number>;
}
