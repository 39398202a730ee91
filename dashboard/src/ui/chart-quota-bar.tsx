/** Shows how much of a quota is used, and the projection for the end of the month. */
import styles from './chart-frame.module.css';
import { grouped, percent } from './format.ts';

export function QuotaBar({ used, limit, projected }: { used: number; limit: number; projected: number }) {
  // The bar ends at the largest value, so that use above the quota is visible and not cut off.
  const end = Math.max(limit, projected, used, 1);
  const state = used > limit ? 'over' : projected > limit ? 'near' : 'well';
  const at = (value: number) => `${(100 * value) / end}%`;
  return (
    <div
      className={styles.quota}
      role="img"
      aria-label={`${grouped(used)} of ${grouped(limit)} used (${percent(used, limit)}), ${grouped(projected)} projected`}
    >
      <div className={styles.track} data-state={state}>
        <span className={styles.projected} style={{ width: at(projected) }} />
        <span className={styles.used} style={{ width: at(used) }} />
      </div>
      <span className={styles.limit} style={{ left: at(limit) }} />
    </div>
  );
}
