/** Takes erased people out of what is kept to take changes back: reports about them, list entries for them, and what waves are named after. */
import type { Campaign } from '../model/campaign.ts';
import type { ListEntry } from '../model/list-entry.ts';
import type { AttackActionStore, UndoSteps } from '../store/attack-action-store.ts';

/** Traces of an erased person. */
export interface OwnTraces {
  readonly requestIds: ReadonlySet<string>;
  readonly isOwnEntry: (entry: ListEntry) => boolean;
  readonly isOwnScope: (campaign: Campaign) => boolean;
}

export async function forgetUndoSteps(
  store: Pick<AttackActionStore, 'attackActions' | 'changeAttackAction'>,
  accountId: string,
  traces: OwnTraces,
): Promise<void> {
  for (const { id, undo } of await store.attackActions(accountId)) {
    if (undo === null) continue;
    const left = withoutPerson(undo, traces);
    if (JSON.stringify(left) !== JSON.stringify(undo)) await store.changeAttackAction(accountId, id, left);
  }
}

function withoutPerson(
  { reports, entries, decisions, closed }: UndoSteps,
  { requestIds, isOwnEntry, isOwnScope }: OwnTraces,
): UndoSteps {
  return {
    ...(closed !== undefined && {
      closed: { ...closed, reports: closed.reports.filter(({ requestId }) => !requestIds.has(requestId)) },
    }),
    reports: reports.filter(({ id }) => !requestIds.has(id)),
    entries: entries.filter(({ before }) => before === null || !isOwnEntry(before)),
    decisions: decisions.map(({ before, ...decision }) => ({
      ...decision,
      before: isOwnScope(before) ? { ...before, scopeText: '' } : before,
    })),
  };
}
