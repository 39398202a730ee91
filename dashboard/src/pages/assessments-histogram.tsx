/** When the signups of the filter came: a bar, or several that are chosen together, become the filter's time. */
import type { SignupSummary } from '../../../src/contract/dashboard-signup-counts.ts';
import { answerLayers } from '../ui/answer-layers.ts';
import type { Bar } from '../ui/chart-bars.ts';
import { StackedBars } from '../ui/chart-stacked-bars.tsx';
import { useNow } from '../ui/use-now.ts';
import { useTimes } from '../ui/use-times.ts';
import { axisNames } from './assessments-axis.ts';
import styles from './assessments-counts.module.css';
import type { FilterChanges } from './assessments-filter.ts';

const HEIGHT = 136;

export interface SignupHistogramProps {
  readonly summary: SignupSummary;
  /** The window of the filter, if it has one. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  onFilter(changes: FilterChanges): void;
}

export function Histogram({ summary, from, to, onFilter }: SignupHistogramProps) {
  const times = useTimes();
  const now = useNow();
  const { buckets, bucket_ms: barMs, until } = summary;
  const layers = answerLayers(buckets);
  const { names, choices } = axisNames(
    buckets.map(({ at }) => at),
    barMs,
    times,
  );
  const endOf = (bar: number) => buckets[bar + 1]?.at ?? until;
  const bars = buckets.map(
    (bucket, index): Bar => ({
      id: bucket.at,
      name: names[index] ?? '',
      title: times.window(bucket.at, endOf(index), now),
      values: layers.map(({ countOf }) => countOf(bucket)),
      state: 'over',
    }),
  );
  return (
    <div className={styles.histogram} data-testid="histogram">
      <StackedBars
        label="Signups over time, bar by bar"
        layers={layers}
        bars={bars}
        height={HEIGHT}
        names={choices}
        unfinishedFrom={bars.length}
        brush
        onOpen={(first, last) => {
          const start = buckets[first]?.at;
          // A chosen window stays where it is; only what the filter had at its ends cuts it.
          if (start !== undefined)
            onFilter({ period: undefined, from: later(start, from), to: earlier(endOf(last), to) });
        }}
      />
    </div>
  );
}

function later(at: string, bound: string | undefined): string {
  return bound !== undefined && Date.parse(bound) > Date.parse(at) ? bound : at;
}

function earlier(at: string, bound: string | undefined): string {
  return bound !== undefined && Date.parse(bound) < Date.parse(at) ? bound : at;
}
