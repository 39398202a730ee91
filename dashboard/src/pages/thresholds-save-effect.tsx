/** Says in a dialog what the changes that will be saved do: to how many signups, and to those that people reported. */
import { Skeleton } from '@mantine/core';
import type { SimulationRequest } from '../../../src/contract/dashboard-account.ts';
import { PERIODS, useScope } from '../scope.ts';
import { grouped } from '../ui/format.ts';
import { ReportedEffect } from '../ui/reported-effect.tsx';
import { VERDICT_ORDER, VERDICTS } from '../ui/verdicts.ts';
import { Difference } from './thresholds-difference.tsx';
import { leftOutWords } from './thresholds-left-out.ts';
import { recount } from './thresholds-recount.ts';
import { useSimulation } from './thresholds-simulation.ts';
import styles from './thresholds-simulator-card.module.css';

export interface SaveEffectProps {
  /** Changes to be saved; without `key` for the whole account, without `weights` with the current ones. */
  readonly saving: Pick<SimulationRequest, 'key' | 'thresholds' | 'weights'>;
}

export function SaveEffect({ saving }: SaveEffectProps) {
  const { period } = useScope();
  const { simulation, error, recounting } = useSimulation({ mode: 'live', period, ...saving });
  if (error !== null) return <p>Could not count how many signups this would change: {error.message}</p>;
  if (simulation === undefined || recounting) return <Skeleton height={44} />;
  const { after, moved, effect } = recount(simulation, saving.thresholds);
  const { before, judged, sampled, labelled } = simulation;
  const leftOut = leftOutWords(simulation);
  return (
    <div className={styles.effect}>
      <p>
        {sampled ? `Of the newest ${grouped(judged)} signups` : `Of ${grouped(judged)} signups`} in the last{' '}
        {PERIODS[period]}, <strong>{moved === 0 ? 'none' : grouped(moved)}</strong> would get another verdict.
      </p>
      {moved > 0 && (
        <p className={styles.differences}>
          {VERDICT_ORDER.map((verdict) => {
            const { icon: Icon, word, ink } = VERDICTS[verdict];
            return (
              <span key={verdict}>
                <span style={{ color: ink }}>
                  <Icon size={15} aria-hidden /> {word}
                </span>{' '}
                <Difference verdict={verdict} before={before} after={after} />
              </span>
            );
          })}
        </p>
      )}
      <ReportedEffect effect={effect} labelled={labelled} />
      {leftOut !== undefined && <p className={styles.small}>{leftOut}</p>}
    </div>
  );
}
