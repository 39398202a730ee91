/** One bar: a block for each layer that has a count, nothing for zero. */
import { memo } from 'react';
import type { Bar, Layer } from './chart-bars.ts';
import styles from './chart-stacked-bars.module.css';

export interface BarColumnProps {
  readonly bar: Bar;
  readonly layers: readonly Layer[];
  readonly ceiling: number;
  readonly pointed: boolean;
}

export const BarColumn = memo(function BarColumn({ bar, layers, ceiling, pointed }: BarColumnProps) {
  return (
    <span className={styles.column} data-state={bar.state} data-pointed={pointed || undefined}>
      {layers.map(({ id, fill, opacity = 1 }, index) => {
        const value = bar.values[index] ?? 0;
        return value === 0 ? null : (
          <span
            key={id}
            data-layer={id}
            style={{ height: `${(100 * value) / ceiling}%`, color: fill, opacity }}
          />
        );
      })}
    </span>
  );
});
