/** Adds to the audit entry of a change about an attack how it is taken back, for a month: both are written with the change. */
import type { MakeId } from '../contract/identifiers.ts';
import type { MakeAuditEntry } from '../store/audit-store.ts';
import type { AccountCall } from './dashboard-route.ts';
import { type MadeChanges, toUndoSteps } from './dashboard-undo.ts';

export interface NoteActionOptions {
  readonly makeId: MakeId;
}

type Changes = Partial<Pick<MadeChanges, 'reports' | 'saved' | 'decided'>>;

/** Makes entries of the audit log that also say how to take these changes back. */
export type NoteAction = (
  call: Pick<AccountCall<unknown>, 'account' | 'now' | 'auditEntry'>,
  attack: string,
  changes: Changes,
) => MakeAuditEntry;

export function createNoteAction({ makeId }: NoteActionOptions): NoteAction {
  return ({ account, now, auditEntry }, attack, changes) => {
    const undo = {
      id: makeId('act', now),
      accountId: account.id,
      attack,
      at: now,
      undo: toUndoSteps({ reports: [], saved: [], ...changes }),
    };
    return (action, target, detail) => ({ ...auditEntry(action, target, detail), undo });
  };
}
