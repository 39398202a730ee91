/** The exact counts of one bar, on the side of it where there is room. */
import type { Bar, ChartLayer } from './chart-bars.ts';
import styles from './chart-stacked-bars.module.css';
import { grouped } from './format.ts';

export interface ExactValuesProps {
  readonly bar: Bar;
  readonly layers: readonly ChartLayer[];
  /** Number of the bar, from 0, among how many. */
  readonly at: number;
  readonly count: number;
}

export function ExactValues({ bar, layers, at, count }: ExactValuesProps) {
  const side =
    at < count / 2 ? { left: `${(100 * (at + 1)) / count}%` } : { right: `${100 - (100 * at) / count}%` };
  const total = bar.values.reduce((sum, value) => sum + value, 0);
  return (
    <div className={styles.exact} style={side} aria-hidden>
      <strong>{bar.title}</strong>
      {layers
        .map((layer, index) => ({ ...layer, value: bar.values[index] ?? 0 }))
        .toReversed()
        .map(({ id, word, icon: Icon, ink, value }) => (
          <div key={id}>
            {Icon ? <Icon size={13} style={{ color: ink }} /> : <span />}
            <span>{word}</span>
            <span>{grouped(value)}</span>
          </div>
        ))}
      <div>
        <span />
        <span>Total</span>
        <span>{grouped(total)}</span>
      </div>
    </div>
  );
}
