/** Saves the draft's weights as the account's policy, with a note on the reason. */
import { Textarea } from '@mantine/core';
import { useState } from 'react';
import type { PolicyPage, PolicyVersion } from '../../../src/contract/dashboard-account.ts';
import { useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { ChangeDialog } from '../ui/change-dialog.tsx';
import type { Draft } from './thresholds-draft.ts';
import { SaveEffect } from './thresholds-save-effect.tsx';
import { WeightChanges } from './thresholds-weight-changes.tsx';

export interface SavePolicyProps {
  readonly policy: PolicyPage;
  readonly draft: Draft;
  onClose(): void;
}

export function SavePolicy({ policy, draft, onClose }: SavePolicyProps) {
  const { account, api } = useScope();
  const [note, setNote] = useState('');
  const save = useSend<PolicyVersion, { weights: Draft['weights']; note: string }>('POST', api('policy'), {
    refreshes: [api('policy'), api('simulate')],
    version: policy.version,
    begun: draft.begun,
  });
  const done = () => {
    draft.begin();
    draft.dropWeights();
    onClose();
  };
  return (
    <ChangeDialog
      change={save}
      body={{ weights: draft.weights, note: note.trim() }}
      title="Save weights as policy"
      verb="Save policy"
      onDone={done}
      onYield={done}
      onClose={onClose}
    >
      <p>
        From the next request on, these weights score every live signup of {account.name}, on all keys. Past
        decisions do not change: each names the version that scored it.
      </p>
      <WeightChanges policy={policy} weights={draft.weights} />
      <SaveEffect saving={{ thresholds: policy.thresholds, weights: draft.weights }} />
      <Textarea
        label="Note"
        description="The reason, for colleagues who read the versions later."
        autosize
        minRows={2}
        maxLength={300}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value.replaceAll('\n', ' '))}
      />
    </ChangeDialog>
  );
}
