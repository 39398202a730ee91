/** One wave: what its members share, who they are, and what a person decides about it. */
import { Button, Skeleton } from '@mantine/core';
import { useRef } from 'react';
import type {
  CampaignDecisionBody,
  CampaignDetail,
  CampaignRow,
  VersionedCampaign,
} from '../../../src/contract/dashboard-campaigns.ts';
import { useGet, useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { Fact } from '../ui/fact.tsx';
import { grouped } from '../ui/format.ts';
import { MeanwhileDialog } from '../ui/meanwhile-dialog.tsx';
import { meanwhileOf } from '../ui/meanwhile-note.tsx';
import { personName } from '../ui/person-name.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { SidePanel } from '../ui/side-panel.tsx';
import {
  AT_COLUMN,
  EMAIL_COLUMN,
  FINDING_COLUMN,
  SCORE_COLUMN,
  VERDICT_COLUMN,
} from '../ui/signup-columns.tsx';
import { Attack } from './campaigns-attack.tsx';
import styles from './campaigns-page.module.css';
import { ACTION_EFFECTS, ACTION_WORDS, actionsOf, sentenceOf, stateOf, whyEnded } from './campaigns-words.ts';

/** Max. networks that are counted (`waves/open-campaign.ts`). */
const MAX_NETWORKS = 256;

interface PanelProps {
  /** Id of a wave, or of an alert about signups. */
  readonly id: string;
  onClose(): void;
}

export function AttackPanel({ id, onClose }: PanelProps) {
  if (!id.startsWith('alr_')) return <CampaignPanel id={id} onClose={onClose} />;
  return (
    <SidePanel title="Alert" label="Alert" onClose={onClose}>
      <Attack id={id} />
    </SidePanel>
  );
}

function CampaignPanel({ id, onClose }: PanelProps) {
  const { api, canList } = useScope();
  const { data, error, refetch } = useGet<CampaignDetail>(api(`campaigns/${id}`));
  return (
    <SidePanel title="Wave" label="Wave" onClose={onClose}>
      {error !== null && data === undefined && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && (
        <div aria-busy="true">
          <Skeleton height={12} mt="md" />
          <Skeleton height={12} mt="sm" width="60%" />
        </div>
      )}
      {data !== undefined && (
        <>
          <p>{sentenceOf(data.campaign.summary)}.</p>
          <Attack id={id} />
          {canList && <Decisions campaign={data.campaign} />}
          <Facts campaign={data.campaign} />
          <h3>Newest members</h3>
          <Members detail={data} />
        </>
      )}
    </SidePanel>
  );
}

function Decisions({ campaign }: { campaign: VersionedCampaign }) {
  const { api } = useScope();
  const actions = useRef<HTMLElement>(null);
  const decide = useSend<unknown, CampaignDecisionBody>('POST', api(`campaigns/${campaign.id}/decision`), {
    refreshes: [api('campaigns'), api('attacks')],
    version: campaign.version,
    begun: campaign.version,
    // The button that was clicked may be gone.
    onSaved: () => actions.current?.focus(),
  });
  const { variables } = decide;
  const isLate = meanwhileOf(decide.error) !== undefined;
  return (
    <>
      <section ref={actions} className={styles.actions} aria-label="Decision" tabIndex={-1}>
        {actionsOf(campaign).map((action) => (
          <Button
            key={action}
            variant="default"
            size="xs"
            disabled={decide.isPending}
            onClick={() => decide.mutate({ action })}
          >
            {ACTION_WORDS[action]}
          </Button>
        ))}
      </section>
      {actionsOf(campaign).map((action) => (
        <p key={action} className={styles.effect}>
          {ACTION_EFFECTS[action]}
        </p>
      ))}
      {!isLate && <ProblemNote error={decide.error} />}
      {variables !== undefined && (
        <MeanwhileDialog
          error={decide.error}
          title={`${ACTION_WORDS[variables.action]}?`}
          verb={ACTION_WORDS[variables.action]}
          onSave={() => decide.mutate(variables)}
          onYield={decide.reset}
        />
      )}
    </>
  );
}

function Facts({ campaign }: { campaign: CampaignRow }) {
  const { networks, hosting } = campaign;
  return (
    <dl className={styles.facts}>
      <Fact name="State">{stateOf(campaign)}</Fact>
      <Fact name="Networks">
        {grouped(networks)}
        {networks >= MAX_NETWORKS && ' or more'} since it was found; {grouped(hosting)} of the members from
        hosting, VPN or proxy
      </Fact>
      <Fact name="Found">
        <RelativeTime at={campaign.opened_at} />
      </Fact>
      <Fact name="Last member">
        <RelativeTime at={campaign.last_at} />
      </Fact>
      {campaign.ended_at !== null && (
        <Fact name="Ended">
          <RelativeTime at={campaign.ended_at} />, {whyEnded(campaign)}
        </Fact>
      )}
      {campaign.decided_by !== null && <Fact name="Decided by">{personName(campaign.decided_by)}</Fact>}
      {campaign.note !== null && <Fact name="Note">{campaign.note}</Fact>}
    </dl>
  );
}

type Member = CampaignDetail['members'][number];

function Members({ detail: { members, partial } }: { detail: CampaignDetail }) {
  const { page } = useScope();
  return (
    <>
      <DataTable
        label="Members of the wave"
        columns={COLUMNS}
        rows={members}
        rowKey={({ request_id }) => request_id}
        href={({ request_id }) => page(`assessments/${request_id}`)}
        quiet
        empty={
          partial ? (
            <EmptyState title="No members among the newest 20,000 signups of its time">
              Look for its place or pattern in Signups.
            </EmptyState>
          ) : (
            <EmptyState title="None of its members is stored any more">
              Signups are kept as long as the retention of this installation says.
            </EmptyState>
          )
        }
      />
      {partial && members.length > 0 && <p className="gh-faint">There may be more. These are the newest.</p>}
    </>
  );
}

const COLUMNS: readonly Column<Member>[] = [
  VERDICT_COLUMN,
  SCORE_COLUMN,
  EMAIL_COLUMN,
  { ...FINDING_COLUMN, width: '30%' },
  AT_COLUMN,
];
