/** Restores the weights of an earlier version as a new version. */
import type { PolicyPage, PolicyVersion } from '../../../src/contract/dashboard-account.ts';
import { useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { ChangeDialog } from '../ui/change-dialog.tsx';
import { SaveEffect } from './thresholds-save-effect.tsx';
import { WeightChanges } from './thresholds-weight-changes.tsx';

export interface RestoreVersionProps {
  readonly policy: PolicyPage;
  readonly version: PolicyVersion;
  readonly weights: Readonly<Record<string, number>>;
  onClose(): void;
}

export function RestoreVersion({ policy, version, weights, onClose }: RestoreVersionProps) {
  const { account, api } = useScope();
  const same = policy.detectors.every(({ detector, weight }) => weights[detector] === weight);
  const save = useSend<PolicyVersion, { weights: typeof weights; note: string }>('POST', api('policy'), {
    refreshes: [api('policy'), api('simulate')],
    version: policy.version,
  });
  return (
    <ChangeDialog
      change={save}
      body={{ weights, note: `Restored ${version.version}` }}
      title={`Restore ${version.version}?`}
      verb="Restore version"
      onClose={onClose}
    >
      <p>
        Its weights become a new version and score every live signup of {account.name} from the next request
        on. Past decisions do not change.
      </p>
      {same ? (
        <p>They are the same as the current ones.</p>
      ) : (
        <>
          <WeightChanges policy={policy} weights={weights} />
          <SaveEffect saving={{ thresholds: policy.thresholds, weights }} />
        </>
      )}
    </ChangeDialog>
  );
}
