/** The effect of unsaved weights; stays visible while the table is edited. */
import { Button } from '@mantine/core';
import { grouped, pluralize } from '../ui/format.ts';
import { VERDICT_ORDER } from '../ui/verdicts.ts';
import { VerdictName } from './thresholds-changed-signups.tsx';
import { Difference } from './thresholds-difference.tsx';
import type { Draft } from './thresholds-draft.ts';
import type { Recount } from './thresholds-recount.ts';
import type { SimulationState } from './thresholds-simulation.ts';
import styles from './thresholds-simulator-card.module.css';

export interface WeightsDockProps {
  readonly draft: Draft;
  readonly state: SimulationState;
  readonly counted: Recount | undefined;
  /** Only owners save. */
  readonly onSave: (() => void) | undefined;
}

export function WeightsDock({ draft, state, counted, onSave }: WeightsDockProps) {
  const { simulation, recounting } = state;
  if (simulation === undefined || counted === undefined) return null;
  return (
    <section className={styles.dock} aria-label="Effect of the unsaved weights">
      <strong>{pluralize(Object.keys(draft.weights).length, 'unsaved change')}</strong>
      {VERDICT_ORDER.map((verdict) => (
        <span key={verdict} className={styles.change} style={{ opacity: recounting ? 0.5 : 1 }}>
          <VerdictName verdict={verdict} />
          <Difference verdict={verdict} before={simulation.before} after={counted.after} />
        </span>
      ))}
      <span className="gh-dim">
        {recounting ? 'Recalculating…' : `${grouped(counted.moved)} would change`}
      </span>
      <span>
        <Button variant="default" size="xs" onClick={draft.dropWeights}>
          Discard
        </Button>
        {onSave !== undefined && (
          <Button size="xs" onClick={onSave}>
            Save as policy
          </Button>
        )}
      </span>
    </section>
  );
}
