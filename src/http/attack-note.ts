/** Notes what a person did about an attack, so that it can be taken back for a month. */
import type { MakeId } from '../contract/identifiers.ts';
import type { AttackActionStore } from '../store/attack-action-store.ts';
import type { AccountCall } from './dashboard-route.ts';
import type { MadeChanges, UndoTokens } from './dashboard-undo.ts';

export interface NoteActionOptions {
  readonly store: Pick<AttackActionStore, 'saveAttackAction'>;
  readonly undo: UndoTokens;
  readonly makeId: MakeId;
}

export type NoteAction = (
  call: Pick<AccountCall<unknown>, 'account' | 'now'>,
  attack: string,
  changes: Partial<Pick<MadeChanges, 'reports' | 'saved' | 'decided'>>,
) => Promise<void>;

export function createNoteAction({ store, undo, makeId }: NoteActionOptions): NoteAction {
  return async ({ account, now }, attack, changes) => {
    const text = undo.makeStored({ accountId: account.id, reports: [], saved: [], ...changes });
    const action = { id: makeId('act', now), accountId: account.id, attack, at: now, undo: text };
    await store.saveAttackAction(action);
  };
}
