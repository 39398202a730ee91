/** How many signups each verdict got and would get, with the difference as a chip, and what that does to those that people reported. */
import type { Simulation } from '../../../src/contract/dashboard-account.ts';
import { grouped, percent } from '../ui/format.ts';
import { ReportedEffect } from '../ui/reported-effect.tsx';
import { VERDICT_ORDER, VERDICTS } from '../ui/verdicts.ts';
import { Difference } from './thresholds-difference.tsx';
import type { Recount } from './thresholds-recount.ts';
import styles from './thresholds-simulator-card.module.css';

export function VerdictCounts({ simulation, counted }: { simulation: Simulation; counted: Recount }) {
  const { before, judged, labelled } = simulation;
  return (
    <>
      <table className={styles.verdicts}>
        <caption className="gh-hidden">Signups per verdict, before and after the change</caption>
        <thead>
          <tr>
            <th scope="col">Verdict</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
            <th scope="col">
              <span className="gh-hidden">Difference</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {VERDICT_ORDER.map((verdict) => {
            const { word, icon: Icon, ink } = VERDICTS[verdict];
            return (
              <tr key={verdict}>
                <th scope="row" style={{ color: ink }}>
                  <span className={styles.change}>
                    <span>
                      <Icon size={15} aria-hidden /> {word}
                    </span>
                  </span>
                </th>
                <td className="gh-dim">{grouped(before[verdict])}</td>
                <td title={`${percent(counted.after[verdict], judged)} of ${grouped(judged)}`}>
                  {grouped(counted.after[verdict])}
                </td>
                <td>
                  <Difference verdict={verdict} before={before} after={counted.after} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p className={styles.outcome}>
        Signups that would change <strong>{grouped(counted.moved)}</strong>
      </p>
      <ReportedEffect effect={counted.effect} labelled={labelled} />
    </>
  );
}
