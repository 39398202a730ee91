/** The simulator: drag thresholds over the histogram, see who would move, save. */
import { SegmentedControl, Skeleton } from '@mantine/core';
import { useState } from 'react';
import type { PolicyPage } from '../../../../src/contract/dashboard/account.ts';
import { PERIODS, useScope } from '../../scope.ts';
import { Card } from '../../ui/layout/card.tsx';
import { ErrorState } from '../../ui/state/error-state.tsx';
import { grouped } from '../../ui/text/format.ts';
import type { Scale } from './histogram/bar-scale.ts';
import { Histogram } from './histogram/histogram.tsx';
import { SaveThresholds } from './save-thresholds.tsx';
import type { Recount } from './simulator/recount.ts';
import styles from './simulator/simulator.module.css';
import { ThresholdFields } from './simulator/threshold-fields.tsx';
import type { Asked } from './simulator/use-simulation.ts';
import { VerdictCounts } from './simulator/verdict-counts.tsx';
import type { Draft } from './use-draft.ts';

export interface SimulatorCardProps {
  readonly policy: PolicyPage;
  readonly draft: Draft;
  readonly asked: Asked;
  readonly counted: Recount | undefined;
}

export function SimulatorCard({ policy, draft, asked, counted }: SimulatorCardProps) {
  const { period } = useScope();
  const [scale, setScale] = useState<Scale>('root');
  const { simulation, error } = asked;
  if (error !== null)
    return (
      <Card title="Simulator">
        <ErrorState error={error} onRetry={asked.retry} />
      </Card>
    );
  return (
    <Card
      title="Scores"
      note={simulation && noteOf(simulation, PERIODS[period])}
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Scale of the bars"
          value={scale}
          onChange={(value) => setScale(value as Scale)}
          data={[
            { value: 'root', label: 'Square root' },
            { value: 'linear', label: 'Linear' },
          ]}
        />
      }
    >
      <div className={styles.bench}>
        <Histogram
          simulation={simulation}
          thresholds={draft.thresholds}
          scale={scale}
          compared={draft.reweighed}
          stale={asked.recounting}
          onMove={draft.setThresholds}
        />
        <div>
          <ThresholdFields thresholds={draft.thresholds} onMove={draft.setThresholds} />
          {simulation && counted ? (
            <VerdictCounts simulation={simulation} counted={counted} />
          ) : (
            <Skeleton height={238} />
          )}
          <SaveThresholds policy={policy} draft={draft} counted={counted} />
        </div>
      </div>
      <Caveats policy={policy} draft={draft} />
    </Card>
  );
}

function noteOf({ judged, sampled }: { judged: number; sampled: boolean }, period: string): string {
  if (judged === 0) return `no signup in the last ${period}`;
  return sampled
    ? `the newest ${grouped(judged)} signups of the last ${period}`
    : `${grouped(judged)} signups of the last ${period}, judged again`;
}

/** What the numbers leave out. */
function Caveats({ policy, draft }: { policy: PolicyPage; draft: Draft }) {
  const own = policy.keys.filter(
    ({ mode, thresholds, revoked_at }) => mode === 'live' && thresholds !== null && revoked_at === null,
  ).length;
  return (
    <p className={styles.small}>
      Before is what was answered, under the thresholds and weights of that time. Signups that an entry of a
      list decided stay as they are.
      {draft.apiKey === undefined &&
        own > 0 &&
        ` ${own === 1 ? 'One key has thresholds of its own' : `${own} keys have thresholds of their own`}; here all traffic is judged by these.`}
    </p>
  );
}
