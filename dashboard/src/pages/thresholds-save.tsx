/** The buttons that save the draft's thresholds, or remove those of a key or account, after a dialog that names the consequences. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { PolicyPage } from '../../../src/contract/dashboard-account.ts';
import { useScope } from '../scope.ts';
import { later } from '../ui/later.tsx';
import type { Draft } from './thresholds-draft.ts';
import styles from './thresholds-simulator-card.module.css';

export interface SaveThresholdsProps {
  readonly policy: PolicyPage;
  readonly draft: Draft;
}

const SaveThresholdsDialog = later(
  async () => (await import('./thresholds-save-dialog.tsx')).SaveThresholdsDialog,
);

export function SaveThresholds({ policy, draft }: SaveThresholdsProps) {
  const { account, canManage } = useScope();
  const [asking, setAsking] = useState<'save' | 'drop'>();
  const { apiKey, moved } = draft;
  if (!canManage) return <p className={styles.small}>Owners of {account.name} can save what you try here.</p>;
  const own = apiKey === undefined ? policy.own_thresholds : apiKey.thresholds !== null;
  const drop = apiKey === undefined ? 'Use the defaults' : 'Use the account’s';
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
            {drop}
          </Button>
        )
      )}
      {asking !== undefined && (
        <SaveThresholdsDialog
          policy={policy}
          draft={draft}
          drops={asking === 'drop'}
          verb={asking === 'drop' ? drop : 'Save thresholds'}
          own={own}
          onClose={() => setAsking(undefined)}
        />
      )}
    </div>
  );
}
