/** The simulator: drag thresholds over the histogram, see which signups would change, save. */
import { SegmentedControl, Skeleton, Switch } from '@mantine/core';
import { useState } from 'react';
import type { PolicyPage, Simulation, SimulationBaseline } from '../../../src/contract/dashboard-account.ts';
import { PERIODS, useScope } from '../scope.ts';
import { Card } from '../ui/card.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { grouped } from '../ui/format.ts';
import type { Scale } from './thresholds-bar-scale.ts';
import type { Draft } from './thresholds-draft.ts';
import { ThresholdFields } from './thresholds-fields.tsx';
import { Histogram } from './thresholds-histogram.tsx';
import { leftOutWords } from './thresholds-left-out.ts';
import type { Recount } from './thresholds-recount.ts';
import { SaveThresholds } from './thresholds-save.tsx';
import type { SimulationState } from './thresholds-simulation.ts';
import styles from './thresholds-simulator-card.module.css';
import { VerdictCounts } from './thresholds-verdict-counts.tsx';

export interface SimulatorCardProps {
  readonly policy: PolicyPage;
  readonly draft: Draft;
  readonly state: SimulationState;
  readonly counted: Recount | undefined;
  readonly baseline: SimulationBaseline;
  setBaseline(baseline: SimulationBaseline): void;
  /** Whether signups of keys in shadow mode count as if these answered with the verdict. */
  readonly observed: boolean;
  setObserved(observed: boolean): void;
}

export function SimulatorCard(props: SimulatorCardProps) {
  const { policy, draft, state, counted, baseline, setBaseline, observed, setObserved } = props;
  const { period } = useScope();
  const [scale, setScale] = useState<Scale>('root');
  const { simulation, error } = state;
  if (error !== null)
    return (
      <Card title="Simulator">
        <ErrorState error={error} onRetry={state.retry} />
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
          compared={draft.reweighed || baseline === 'answered'}
          stale={state.recounting}
          onMove={draft.setThresholds}
        />
        <div>
          <ThresholdFields thresholds={draft.thresholds} onMove={draft.setThresholds} />
          {simulation && counted ? (
            <VerdictCounts simulation={simulation} counted={counted} />
          ) : (
            <Skeleton height={238} />
          )}
          <Switch
            className={styles.compare}
            size="xs"
            label="Compare with the past verdicts"
            checked={baseline === 'answered'}
            onChange={(event) => setBaseline(event.currentTarget.checked ? 'answered' : 'current')}
          />
          {(observed || (simulation?.left_out.observed ?? 0) > 0) && (
            <Switch
              className={styles.compare}
              size="xs"
              label="Count keys that only observe"
              checked={observed}
              onChange={(event) => setObserved(event.currentTarget.checked)}
            />
          )}
          <SaveThresholds policy={policy} draft={draft} />
        </div>
      </div>
      {simulation && <Caveats simulation={simulation} draft={draft} baseline={baseline} />}
    </Card>
  );
}

function noteOf({ judged, sampled }: Simulation, period: string): string {
  if (judged === 0) return `no signup in the last ${period}`;
  return sampled
    ? `the newest ${grouped(judged)} signups of the last ${period}`
    : `${grouped(judged)} signups of the last ${period}, recalculated`;
}

interface CaveatsProps {
  readonly simulation: Simulation;
  readonly draft: Draft;
  readonly baseline: SimulationBaseline;
}

/** Shows what the numbers compare, and what is not counted. */
function Caveats({ simulation, draft, baseline }: CaveatsProps) {
  const before =
    baseline === 'answered'
      ? 'Before: the past verdicts, with the settings of that time.'
      : 'Before: the same signups with the current settings.';
  return (
    <p className={styles.small}>
      {before} Signups that a list entry decided do not change.
      {` ${leftOutWords(simulation) ?? ''}`}
      {draft.apiKey?.shadow === true &&
        ' This key only observes: its answers stay Allow until you enforce it.'}
      {draft.apiKey === undefined &&
        draft.reweighed &&
        ' Keys with their own thresholds keep them. Weights change the scores on all keys.'}
    </p>
  );
}
