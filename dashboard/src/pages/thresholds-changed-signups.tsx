/** The signups that would get another verdict, most harmful first, each with a link to its explanation. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Simulation } from '../../../src/contract/dashboard-account.ts';
import type { Verdict } from '../../../src/contract/messages.ts';
import { useScope } from '../scope.ts';
import { Card } from '../ui/card.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { grouped } from '../ui/format.ts';
import { IconArrowRight } from '../ui/icons.ts';
import { AT_COLUMN, EMAIL_COLUMN, FINDING_COLUMN } from '../ui/signup-columns.tsx';
import { VERDICTS } from '../ui/verdicts.ts';
import type { Recount } from './thresholds-recount.ts';
import styles from './thresholds-simulator-card.module.css';

/** The weights are further down. */
const FEW = 10;

type Sample = Simulation['samples'][number];

const COLUMNS: readonly Column<Sample>[] = [
  {
    id: 'change',
    head: 'Verdict',
    width: 'clamp(84px, 24vw, 200px)',
    cell: ({ old_verdict, new_verdict }) => <VerdictChange from={old_verdict} to={new_verdict} />,
  },
  {
    id: 'score',
    head: 'Score',
    width: 96,
    align: 'right',
    cell: ({ old_score, new_score }) => (old_score === new_score ? new_score : `${old_score} → ${new_score}`),
  },
  EMAIL_COLUMN,
  { ...FINDING_COLUMN, width: '26%' },
  {
    id: 'feedback',
    head: 'Reported',
    from: 'lg',
    width: 140,
    cell: ({ feedback }) =>
      feedback === null ? (
        <span className="gh-faint">–</span>
      ) : feedback === 'false_positive' ? (
        'good customer'
      ) : (
        'fraud'
      ),
  },
  { ...AT_COLUMN, from: 'sm' },
];

export interface ChangedSignupsProps {
  readonly simulation: Simulation | undefined;
  readonly counted: Recount | undefined;
  /** The samples belong to earlier thresholds or weights; new ones are loading. */
  readonly waiting: boolean;
}

export function ChangedSignups({ simulation, counted, waiting }: ChangedSignupsProps) {
  const { page } = useScope();
  const [all, setAll] = useState(false);
  const samples = simulation?.samples;
  const held = samples?.length ?? 0;
  const moved = counted?.moved ?? 0;
  const some = moved > held ? `${held} of ${grouped(moved)}, most harmful first` : undefined;
  return (
    <Card title="Signups that would change" note={waiting ? 'Recalculating…' : some} flush>
      {moved > 0 && (
        <ul className={styles.moves} aria-label="Moves between verdicts">
          {counted?.moves.map(({ from, to, count }) => (
            <li key={`${from} ${to}`}>
              <VerdictChange from={from} to={to} /> <strong>{grouped(count)}</strong>
            </li>
          ))}
        </ul>
      )}
      <div style={{ opacity: waiting ? 0.5 : 1 }}>
        <DataTable
          label="Signups that would change"
          columns={COLUMNS}
          rows={all ? samples : samples?.slice(0, FEW)}
          rowKey={({ request_id }) => request_id}
          href={({ request_id }) => page(`assessments/${request_id}`)}
          skeletons={4}
          empty={
            <p className={styles.none}>
              None. Move a threshold on the histogram, or change a weight, to see which signups would get
              another verdict.
            </p>
          }
        />
        {held > FEW && (
          <Button variant="subtle" size="sm" m={8} onClick={() => setAll(!all)}>
            {all ? `Show the first ${FEW}` : `Show all ${held}`}
          </Button>
        )}
      </div>
    </Card>
  );
}

/** Shows a verdict and the verdict it would become; only icons if there is no room. */
function VerdictChange({ from, to }: { from: Verdict; to: Verdict }) {
  return (
    <span className={styles.change}>
      <VerdictName verdict={from} />
      <IconArrowRight size={14} aria-label="to" />
      <VerdictName verdict={to} />
    </span>
  );
}

export function VerdictName({ verdict }: { verdict: Verdict }) {
  const { word, icon: Icon, ink } = VERDICTS[verdict];
  return (
    <span style={{ color: ink }}>
      <Icon size={15} aria-label={word} />
      <em aria-hidden>{word}</em>
    </span>
  );
}
