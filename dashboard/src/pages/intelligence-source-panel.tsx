/** One source beside the table: its data, its state, rejected updates and why; refresh it, roll it back. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Intelligence, SourceRow } from '../../../src/contract/dashboard-installation.ts';
import { useSend } from '../api.ts';
import { ChangeDialog } from '../ui/change-dialog.tsx';
import { CopyText } from '../ui/copy-text.tsx';
import { Fact } from '../ui/fact.tsx';
import { IconHistory, IconRefresh } from '../ui/icons.ts';
import { NumberText } from '../ui/number-text.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { SidePanel } from '../ui/side-panel.tsx';
import { factWords } from './intelligence-fact-words.ts';
import styles from './intelligence-page.module.css';
import { Change, StateWord } from './intelligence-source-columns.tsx';
import { SourceReview } from './intelligence-source-review.tsx';
import { SOURCE_STATES } from './intelligence-source-states.ts';

export interface SourcePanelProps {
  readonly source: SourceRow;
  readonly fetching: boolean;
  readonly operator: boolean;
  readonly refreshing: boolean;
  onRefresh(): void;
  onClose(): void;
}

export function SourcePanel(props: SourcePanelProps) {
  const { source, fetching, operator, refreshing } = props;
  const [asking, setAsking] = useState(false);
  const fetchable = fetching && source.state !== 'bundled' && source.state !== 'off';
  return (
    <SidePanel title={source.id} label={`Source ${source.id}`} onClose={props.onClose}>
      <p className={styles.says}>Lists {factWords(source.says)}.</p>
      {source.review !== null && <SourceReview source={source} review={source.review} />}
      <dl className={styles.facts}>
        <Fact name="State">
          <StateWord state={source.state} />
          <span className={styles.means}>{SOURCE_STATES[source.state].means}</span>
        </Fact>
        {source.last_refusal !== null && (
          <Fact name="Last rejected update">
            {source.last_refusal.why}
            <span className={styles.means}>
              <RelativeTime at={source.last_refusal.at} />
            </span>
          </Fact>
        )}
        {source.last_failure !== null && <Fact name="Last failure">{source.last_failure}</Fact>}
        <Fact name="Version">
          {source.version === '' ? '–' : <CopyText text={source.version} what="version" />}
        </Fact>
        {source.state !== 'bundled' && (
          <>
            <Fact name="Fetched">
              <RelativeTime at={source.fetched_at} />
            </Fact>
            <Fact name="Last change">
              <Change {...source} />
            </Fact>
          </>
        )}
        <Fact name="Entries">
          <NumberText value={source.entries} />
        </Fact>
        <Fact name="Licence">{source.licence}</Fact>
        {source.url !== '' && (
          <Fact name="Published at">
            {source.url.includes('***') ? (
              <span className={styles.url}>{source.url}</span>
            ) : (
              <a className={styles.url} href={source.url} target="_blank" rel="noreferrer">
                {source.url}
              </a>
            )}
          </Fact>
        )}
      </dl>
      {operator && (fetchable || source.can_roll_back) && (
        <div className={styles.actions}>
          {fetchable && (
            <Button leftSection={<IconRefresh size={16} />} loading={refreshing} onClick={props.onRefresh}>
              Refresh now
            </Button>
          )}
          {source.can_roll_back && (
            <Button variant="default" leftSection={<IconHistory size={16} />} onClick={() => setAsking(true)}>
              Roll back…
            </Button>
          )}
        </div>
      )}
      {asking && <RollBack source={source} onClose={() => setAsking(false)} />}
    </SidePanel>
  );
}

/** Makes the previous version active again, after a dialog that names the consequences. */
function RollBack({ source, onClose }: { source: SourceRow; onClose: () => void }) {
  const rollBack = useSend<Intelligence>('POST', `/intelligence/${source.id}/rollback`, {
    refreshes: ['/intelligence'],
    version: source.state_version,
  });
  return (
    <ChangeDialog
      change={rollBack}
      body={undefined}
      title={`Roll ${source.id} back?`}
      verb="Roll back"
      danger
      onClose={onClose}
    >
      <p>
        The good version before {source.version} is used for every account within seconds. The current version
        is not fetched again, but the publisher’s next version is.
      </p>
    </ChangeDialog>
  );
}
