/** Saves the draft's thresholds, or removes those of a key or account, after a dialog that names the consequences. */
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { PolicyPage } from '../../../src/contract/dashboard-account.ts';
import { DEFAULT_THRESHOLDS, type Thresholds } from '../../../src/model/policy.ts';
import { send, useSend, withQuery } from '../api.ts';
import { useScope } from '../scope.ts';
import { ChangeDialog } from '../ui/change-dialog.tsx';
import { useUndoToast } from '../ui/undo-toast.tsx';
import type { Draft } from './thresholds-draft.ts';
import { SaveEffect } from './thresholds-save-effect.tsx';
import styles from './thresholds-simulator-card.module.css';

export interface SaveThresholdsProps {
  readonly policy: PolicyPage;
  readonly draft: Draft;
}

export function SaveThresholds({ policy, draft }: SaveThresholdsProps) {
  const { account, canManage } = useScope();
  const [asking, setAsking] = useState<'save' | 'drop'>();
  const { apiKey, thresholds, moved } = draft;
  const own = apiKey === undefined ? policy.own_thresholds : apiKey.thresholds !== null;
  const whose = apiKey === undefined ? account.name : `the key “${apiKey.name}”`;
  const save = useSaveThresholds(draft, { whose, own });
  const close = () => {
    setAsking(undefined);
    save.reset();
  };
  if (!canManage) return <p className={styles.small}>Owners of {account.name} can save what you try here.</p>;
  const fallback = apiKey === undefined ? DEFAULT_THRESHOLDS : policy.thresholds;
  const done = () => {
    draft.begin();
    draft.dropThresholds();
    close();
  };
  const next = asking === 'drop' ? fallback : thresholds;
  return (
    <div className={styles.save}>
      <Button disabled={!moved} onClick={() => setAsking('save')}>
        Save thresholds
      </Button>
      {moved ? (
        <Button variant="default" onClick={draft.dropThresholds}>
          Discard
        </Button>
      ) : (
        own && (
          <Button variant="subtle" onClick={() => setAsking('drop')}>
            {apiKey === undefined ? 'Use the defaults' : 'Use the account’s'}
          </Button>
        )
      )}
      <ChangeDialog
        opened={asking !== undefined}
        change={save}
        body={asking === 'drop' ? null : thresholds}
        title={`Thresholds of ${whose}`}
        verb={
          asking === 'drop'
            ? apiKey === undefined
              ? 'Use the defaults'
              : 'Use the account’s'
            : 'Save thresholds'
        }
        onDone={done}
        onClose={close}
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
    </div>
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
