/** One key on the page Shadow mode: how many it would have stopped, why, whom, and the mistakes that are known. */
import { Button, Skeleton } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { AssessmentRow } from '../../../src/contract/dashboard-assessments.ts';
import type { ShadowKeyReport } from '../../../src/contract/dashboard-shadow.ts';
import { labelOfDetector } from '../../../src/contract/detectors.ts';
import type { Verdict } from '../../../src/contract/messages.ts';
import { useScope } from '../scope.ts';
import { Card } from '../ui/card.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { grouped, percent } from '../ui/format.ts';
import { LabelMark } from '../ui/label-mark.tsx';
import { MeanwhileDialog } from '../ui/meanwhile-dialog.tsx';
import { meanwhileOf } from '../ui/meanwhile-note.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import {
  AT_COLUMN,
  EMAIL_COLUMN,
  FINDING_COLUMN,
  SCORE_COLUMN,
  VERDICT_COLUMN,
} from '../ui/signup-columns.tsx';
import { StatCard, StatRow } from '../ui/stat-card.tsx';
import { totalOf, VERDICT_ORDER, VERDICTS } from '../ui/verdicts.ts';
import { Readiness } from './key-readiness.tsx';
import { FRAUD, GOOD, STOPPED } from './key-readiness-state.tsx';
import { ShadowDialog } from './key-shadow-dialog.tsx';
import { useSetShare } from './key-share.ts';
import styles from './shadow-page.module.css';

export function ShadowKeyCard({ report }: { report: ShadowKeyReport }) {
  const { canManage } = useScope();
  const [switching, setSwitching] = useState(false);
  const { name, shadow, enforced_share: share, revoked } = report;
  return (
    <Card
      title={name}
      note={stateOf(report)}
      flush
      actions={
        canManage &&
        !revoked && (
          <>
            {share > 0 && <ObserveAgain report={report} />}
            {shadow && (
              <Button size="xs" onClick={() => setSwitching(true)}>
                {share === 0 ? 'Enforce…' : 'Enforce for more…'}
              </Button>
            )}
          </>
        )
      }
    >
      {report.readiness !== null && (
        <div className={styles.readiness}>
          <Readiness report={report} />
        </div>
      )}
      <Numbers report={report} />
      <Causes report={report} />
      <Latest report={report} />
      {switching && <ShadowDialog apiKey={report} onClose={() => setSwitching(false)} />}
    </Card>
  );
}

/** Button without a dialog: it stops no signup, and can be undone. */
function ObserveAgain({ report }: { report: ShadowKeyReport }) {
  const change = useSetShare(report, report.version);
  const observe = () => change.mutate({ enforced_share: 0 });
  return (
    <>
      <Button size="xs" variant="default" loading={change.isPending} onClick={observe}>
        Only observe again
      </Button>
      <ProblemNote error={meanwhileOf(change.error) === undefined ? change.error : null} />
      <MeanwhileDialog
        error={change.error}
        title={`Only observe with “${report.name}”?`}
        verb="Only observe"
        onSave={observe}
        onYield={change.reset}
      />
    </>
  );
}

function stateOf({ mode, shadow, enforced_share: share, revoked }: ShadowKeyReport): string {
  const kind = mode === 'live' ? 'live key' : 'sandbox key';
  if (revoked) return `${kind}, revoked`;
  if (!shadow) return `${kind}, enforces now`;
  return share === 0 ? `${kind}, in shadow mode` : `${kind}, enforces for ${share}% of people`;
}

/** Links into the history: the observed signups of this key. */
function useHistoryLink({ id, mode }: ShadowKeyReport) {
  const { page, period } = useScope();
  return (filter: Readonly<Record<string, string>>) =>
    page('assessments', {
      ...filter,
      shadow: 'true',
      key: id,
      period,
      mode: mode === 'test' ? mode : undefined,
    });
}

function Numbers({ report }: { report: ShadowKeyReport }) {
  const linkTo = useHistoryLink(report);
  const { verdicts, reported } = report;
  const total = totalOf(verdicts);
  return (
    <div className={styles.numbers}>
      <StatRow>
        {VERDICT_ORDER.map((verdict) => {
          const { icon: Icon, ink } = VERDICTS[verdict];
          return (
            <StatCard
              key={verdict}
              icon={<Icon size={15} style={{ color: ink }} aria-hidden />}
              label={`Would have been ${VERDICTS[verdict].did}`}
              value={grouped(verdicts[verdict])}
              note={total === 0 ? 'no signups yet' : `${percent(verdicts[verdict], total)} of its signups`}
              href={linkTo({ verdict })}
            />
          );
        })}
        <StatCard
          icon={<LabelMark kind="good" right />}
          label="Good customers"
          value={grouped(reported.good_stopped)}
          note="reported, would have been stopped"
          href={linkTo({ feedback: GOOD, verdict: STOPPED })}
        />
        <StatCard
          icon={<LabelMark kind="fraud" right />}
          label="Fraud"
          value={grouped(reported.fraud_stopped)}
          note={`reported, would have been stopped${missedNote(reported)}`}
          href={linkTo({ feedback: FRAUD, verdict: STOPPED })}
        />
      </StatRow>
    </div>
  );
}

function missedNote({ fraud_allowed: missed }: ShadowKeyReport['reported']): string {
  return missed === 0 ? '' : `; ${grouped(missed)} would not have been`;
}

function Causes({ report }: { report: ShadowKeyReport }) {
  const linkTo = useHistoryLink(report);
  if (report.findings.length === 0) return null;
  return (
    <div className={styles.reasons}>
      <h3>Why</h3>
      <ul>
        {report.findings.map(({ detector: finding, count }) => (
          <li key={finding}>
            <Link href={linkTo({ finding, verdict: 'challenge,block' })}>
              {labelOfDetector(finding)} {grouped(count)}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

const COLUMNS: readonly Column<AssessmentRow>[] = [
  VERDICT_COLUMN,
  SCORE_COLUMN,
  EMAIL_COLUMN,
  { ...FINDING_COLUMN, width: '34%' },
  AT_COLUMN,
];

function Latest({ report }: { report: ShadowKeyReport }) {
  const { page } = useScope();
  const linkTo = useHistoryLink(report);
  const mode = report.mode === 'test' ? report.mode : undefined;
  const stopped: readonly Verdict[] = ['block', 'challenge'];
  return (
    <>
      <DataTable
        label={`Latest signups that ${report.name} would have stopped`}
        columns={COLUMNS}
        rows={report.latest}
        rowKey={({ request_id }) => request_id}
        href={({ request_id }) => page(`assessments/${request_id}`, { mode })}
        empty={<EmptyState title="It would have stopped no signup in this period" />}
      />
      {report.latest.length > 0 && (
        <p className={styles.more}>
          {stopped.map((verdict) => (
            <Link key={verdict} href={linkTo({ verdict })}>
              All signups that would have been {VERDICTS[verdict].did}
            </Link>
          ))}
        </p>
      )}
    </>
  );
}

export function ShadowKeySkeleton() {
  return (
    <div aria-busy role="status" aria-label="Loading the keys">
      <Skeleton height={360} />
    </div>
  );
}
