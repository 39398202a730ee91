/** Makes bars and a table of the overview's series, by answer; each bar links to its signups. */
import { useLocation } from 'wouter';
import type { Overview, Period } from '../../../src/contract/dashboard-account.ts';
import { useScope } from '../scope.ts';
import { answerLayers } from '../ui/answer-layers.ts';
import { ChartFrame } from '../ui/chart-frame.tsx';
import { StackedBars } from '../ui/chart-stacked-bars.tsx';
import { grouped } from '../ui/format.ts';
import { useTimes } from '../ui/use-times.ts';
import {
  bucketName,
  bucketState,
  bucketTitle,
  nameableBars,
  unfinishedFrom,
} from './overview-bucket-time.ts';

const HEIGHT = 252;

export function VerdictsChart({ overview, period }: { overview: Overview | undefined; period: Period }) {
  const { page } = useScope();
  const [, navigate] = useLocation();
  const series = overview?.series ?? [];
  // While another period loads, the axis belongs to the period still shown.
  const shown = overview?.period ?? period;
  const asOf = overview?.as_of ?? '';
  const times = useTimes();
  const parts = answerLayers(series);
  const hrefs = series.map(({ at, to }) => page('assessments', { from: at, to, period: undefined }));
  return (
    <ChartFrame
      label="Verdicts over time"
      height={HEIGHT}
      loading={overview === undefined}
      operable
      table={{
        heads: ['Time', ...parts.map(({ word }) => word)],
        // A bar that has not begun has no count: a zero would be wrong.
        rows: series
          .filter((bucket) => bucketState(bucket, asOf) !== 'ahead')
          .map((point) => [
            bucketTitle(times, shown, point, asOf),
            ...parts.map(({ countOf }) => grouped(countOf(point))),
          ]),
        hrefs,
      }}
    >
      <StackedBars
        label="Verdicts over time, bar by bar"
        layers={parts}
        bars={series.map((point) => ({
          id: point.at,
          name: bucketName(times, shown, point),
          title: bucketTitle(times, shown, point, asOf),
          values: parts.map(({ countOf }) => countOf(point)),
          state: bucketState(point, asOf),
        }))}
        height={HEIGHT}
        names={nameableBars(times, shown, series)}
        unfinishedFrom={unfinishedFrom(times, shown, series, asOf)}
        onOpen={(bar) => navigate(hrefs[bar] ?? page('assessments'))}
      />
    </ChartFrame>
  );
}
