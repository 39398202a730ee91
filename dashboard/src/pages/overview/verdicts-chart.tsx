/** Puts the overview's series into the chart and the table behind it. */
import { lazy } from 'react';
import type { Overview, Period } from '../../../../src/contract/dashboard/account.ts';
import { ChartFrame } from '../../ui/chart/chart-frame.tsx';
import { grouped } from '../../ui/text/format.ts';
import { VERDICT_ORDER, VERDICTS } from '../../ui/verdict/verdicts.ts';
import { bucketTick, bucketTicks, bucketTitle } from './bucket-time.ts';

const HEIGHT = 240;
const StackedArea = lazy(async () => ({
  default: (await import('../../ui/chart/stacked-area.tsx')).StackedArea,
}));

export function VerdictsChart({ overview, period }: { overview: Overview | undefined; period: Period }) {
  const series = overview?.series ?? [];
  // While another period loads the axis belongs to the one that is still shown.
  const shown = overview?.period ?? period;
  return (
    <ChartFrame
      label="Verdicts over time"
      height={HEIGHT}
      loading={overview === undefined}
      table={{
        heads: ['From', ...VERDICT_ORDER.map((verdict) => VERDICTS[verdict].word)],
        rows: series.map((point) => [
          bucketTitle(shown, point.at),
          ...VERDICT_ORDER.map((verdict) => grouped(point[verdict])),
        ]),
      }}
    >
      <StackedArea
        series={series}
        height={HEIGHT}
        ticks={bucketTicks(
          shown,
          series.map(({ at }) => at),
        )}
        tick={(at) => bucketTick(shown, at)}
        title={(at) => bucketTitle(shown, at)}
      />
    </ChartFrame>
  );
}
