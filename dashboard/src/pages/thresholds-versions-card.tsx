/** Every version of the account's policy, newest first; an earlier one can be tried above or restored. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { PolicyPage, PolicyVersion } from '../../../src/contract/dashboard-account.ts';
import { labelOfDetector } from '../../../src/contract/detectors.ts';
import { useScope } from '../scope.ts';
import { Card } from '../ui/card.tsx';
import { CopyText } from '../ui/copy-text.tsx';
import { later } from '../ui/later.tsx';
import { personName } from '../ui/person-name.ts';
import { RelativeTime } from '../ui/relative-time.tsx';
import type { Draft } from './thresholds-draft.ts';
import styles from './thresholds-versions-card.module.css';

const RestoreVersion = later(async () => (await import('./thresholds-restore-version.tsx')).RestoreVersion);

export function VersionsCard({ policy, draft }: { policy: PolicyPage; draft: Draft }) {
  const { canManage, mode } = useScope();
  const [restoring, setRestoring] = useState<PolicyVersion>();
  const defaults: PolicyVersion = { version: 'default-2', weights: {}, created_at: '', author: '', note: '' };
  const versions = [...policy.versions, defaults];
  return (
    <Card title="Policy versions" note="each signup shows the version that scored it" flush>
      <ul className={styles.versions}>
        {versions.map((version) => {
          const current = version.version === policy.current;
          return (
            <li key={version.version}>
              <div className={styles.what}>
                <span className={styles.head}>
                  <CopyText text={version.version} what="version" />
                  {current && <span className={styles.current}>current</span>}
                </span>
                <span className={styles.note}>{version.note || summaryOf(version)}</span>
                {version.note !== '' && <span className="gh-dim">{summaryOf(version)}</span>}
                {version.author !== '' && (
                  <span className="gh-faint">
                    {personName(version.author)}, <RelativeTime at={version.created_at} />
                  </span>
                )}
              </div>
              {!current && (
                <div className={styles.actions}>
                  {mode === 'live' && (
                    <Button
                      variant="subtle"
                      size="xs"
                      onClick={() => draft.tryWeights(allWeights(policy, version))}
                      aria-label={`Try version ${version.version}`}
                    >
                      Try
                    </Button>
                  )}
                  {canManage && (
                    <Button
                      variant="default"
                      size="xs"
                      onClick={() => setRestoring(version)}
                      aria-label={`Restore version ${version.version}`}
                    >
                      Restore
                    </Button>
                  )}
                </div>
              )}
            </li>
          );
        })}
      </ul>
      {restoring !== undefined && (
        <RestoreVersion
          policy={policy}
          version={restoring}
          weights={allWeights(policy, restoring)}
          onClose={() => setRestoring(undefined)}
        />
      )}
    </Card>
  );
}

/**
 * Every detector's weight under a version, which names only those that differ from the defaults. A weight saved before its detector had a maximum shows the limited value.
 */
function allWeights({ detectors }: PolicyPage, { weights }: PolicyVersion): Record<string, number> {
  return Object.fromEntries(
    detectors.map(({ detector, default_weight, max_weight }) => [
      detector,
      Math.min(weights[detector] ?? default_weight, max_weight),
    ]),
  );
}

function summaryOf({ weights }: PolicyVersion): string {
  const own = Object.entries(weights).map(([detector, weight]) => `${labelOfDetector(detector)} ${weight}`);
  return own.length === 0 ? 'The default weights' : own.join(', ');
}
