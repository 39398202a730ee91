/** The dialog that names what new thresholds do, and saves them. */
import { useQueryClient } from '@tanstack/react-query';
import type { PolicyPage } from '../../../src/contract/dashboard-account.ts';
import { DEFAULT_THRESHOLDS, type Thresholds } from '../../../src/model/policy.ts';
import { send, useSend, withQuery } from '../api.ts';
import { useScope } from '../scope.ts';
import { ChangeDialog } from '../ui/change-dialog.tsx';
import { useUndoToast } from '../ui/undo-toast.tsx';
import type { Draft } from './thresholds-draft.ts';
import { SaveEffect } from './thresholds-save-effect.tsx';

export interface SaveThresholdsDialogProps {
  readonly policy: PolicyPage;
  readonly draft: Draft;
  /** Whether the key or the account gives up its own thresholds. */
  readonly drops: boolean;
  /** The button that saves. */
  readonly verb: string;
  /** Whether there are own thresholds now. */
  readonly own: boolean;
  onClose(): void;
}

export function SaveThresholdsDialog({
  policy,
  draft,
  drops,
  verb,
  own,
  onClose,
}: SaveThresholdsDialogProps) {
  const { account } = useScope();
  const { apiKey, thresholds } = draft;
  const whose = apiKey === undefined ? account.name : `the key “${apiKey.name}”`;
  const save = useSaveThresholds(draft, { whose, own });
  const fallback = apiKey === undefined ? DEFAULT_THRESHOLDS : policy.thresholds;
  const next = drops ? fallback : thresholds;
  const done = () => {
    draft.begin();
    draft.dropThresholds();
    onClose();
  };
  return (
    <ChangeDialog
      change={save}
      body={drops ? null : thresholds}
      title={`Thresholds of ${whose}`}
      verb={verb}
      onDone={done}
      onClose={onClose}
      onYield={done}
    >
      <p>
        From the next request on, signups of {whose} that score {next.challenge} or more are challenged, and
        from {next.block} on blocked.
      </p>
      {apiKey === undefined && <p>Keys with their own thresholds keep them.</p>}
      <SaveEffect saving={{ thresholds: next, ...(apiKey === undefined ? {} : { key: apiKey.id }) }} />
      {draft.reweighed && <p>Your unsaved weights are not part of this. Save them separately.</p>}
    </ChangeDialog>
  );
}

/** Saves them, and offers to take that back. */
function useSaveThresholds(draft: Draft, { whose, own }: { whose: string; own: boolean }) {
  const { api } = useScope();
  const { apiKey } = draft;
  const client = useQueryClient();
  const toast = useUndoToast();
  const path = api(apiKey === undefined ? 'thresholds' : `keys/${apiKey.id}/thresholds`);
  const refreshes = [api('policy'), api('keys'), api('simulate')];
  const before = own ? draft.saved : null;
  const offerUndo = (page: PolicyPage) => {
    const saved = apiKey === undefined ? page : page.keys.find(({ id }) => id === apiKey.id);
    toast({
      text: `The thresholds of ${whose} are saved.`,
      async undo() {
        await send('PUT', withQuery(path, { version: saved?.version }), before ?? undefined);
        await client.invalidateQueries({
          predicate: ({ queryKey: [key] }) => refreshes.some((prefix) => String(key).startsWith(prefix)),
        });
      },
    });
  };
  return useSend<PolicyPage, Thresholds | null>('PUT', path, {
    refreshes,
    version: draft.version,
    begun: draft.begun,
    onSaved: offerUndo,
  });
}
