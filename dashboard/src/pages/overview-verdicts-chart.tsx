/** Makes bars and a table of the overview's series; each bar links to its signups. */
import { useLocation } from 'wouter';
import type { Overview, Period } from '../../../src/contract/dashboard-account.ts';
import { useScope } from '../scope.ts';
import { ChartFrame } from '../ui/chart-frame.tsx';
import { StackedBars } from '../ui/chart-stacked-bars.tsx';
import { grouped } from '../ui/format.ts';
import { VERDICT_ORDER, VERDICTS } from '../ui/verdicts.ts';
import {
  bucketEnd,
  bucketName,
  bucketState,
  bucketTitle,
  nameableBars,
  unfinishedFrom,
} from './overview-bucket-time.ts';

const HEIGHT = 252;
const LAYERS = VERDICT_ORDER.map((verdict) => ({
  id: verdict,
  ...VERDICTS[verdict],
  opacity: verdict === 'allow' ? 0.5 : 1,
}));

export function VerdictsChart({ overview, period }: { overview: Overview | undefined; period: Period }) {
  const { page } = useScope();
  const [, navigate] = useLocation();
  const series = overview?.series ?? [];
  // While another period loads, the axis belongs to the period still shown.
  const shown = overview?.period ?? period;
  const asOf = overview?.as_of ?? '';
  const starts = series.map(({ at }) => at);
  const hrefs = starts.map((at) =>
    page('assessments', { from: at, to: bucketEnd(shown, at), period: undefined }),
  );
  return (
    <ChartFrame
      label="Verdicts over time"
      height={HEIGHT}
      loading={overview === undefined}
      operable
      table={{
        heads: ['Time', ...VERDICT_ORDER.map((verdict) => VERDICTS[verdict].word)],
        // A bar that has not begun has no count: a zero would be wrong.
        rows: series
          .filter(({ at }) => bucketState(shown, at, asOf) !== 'ahead')
          .map((point) => [
            bucketTitle(shown, point.at, asOf),
            ...VERDICT_ORDER.map((verdict) => grouped(point[verdict])),
          ]),
        hrefs,
      }}
    >
      <StackedBars
        label="Verdicts over time, bar by bar"
        layers={LAYERS}
        bars={series.map((point) => ({
          id: point.at,
          name: bucketName(shown, point.at),
          title: bucketTitle(shown, point.at, asOf),
          values: VERDICT_ORDER.map((verdict) => point[verdict]),
          state: bucketState(shown, point.at, asOf),
        }))}
        height={HEIGHT}
        names={nameableBars(shown, starts)}
        unfinishedFrom={unfinishedFrom(shown, starts, asOf)}
        onOpen={(bar) => navigate(hrefs[bar] ?? page('assessments'))}
      />
    </ChartFrame>
  );
}
