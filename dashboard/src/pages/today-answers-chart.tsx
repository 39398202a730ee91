/** Makes bars and a table of the answers of a period, with its alerts and the account's own changes on the axis; each bar links to its signups. */
import { useLocation } from 'wouter';
import type { Period, Today, TodayMarks } from '../../../src/contract/dashboard-today.ts';
import { useScope } from '../scope.ts';
import { answerLayers } from '../ui/answer-layers.ts';
import { ChartFrame } from '../ui/chart-frame.tsx';
import { StackedBars } from '../ui/chart-stacked-bars.tsx';
import { grouped } from '../ui/format.ts';
import { useTimes } from '../ui/use-times.ts';
import { bucketName, bucketState, bucketTitle, nameableBars, unfinishedFrom } from './today-bucket-time.ts';
import { chartMarks } from './today-mark-places.ts';
import { MarksList } from './today-marks.tsx';

const HEIGHT = 252;

export interface AnswersChartProps {
  readonly today: Today | undefined;
  readonly period: Period;
  readonly marks: TodayMarks | undefined;
}

export function AnswersChart({ today, period, marks }: AnswersChartProps) {
  const { page } = useScope();
  const [, navigate] = useLocation();
  const series = today?.series ?? [];
  // While another period loads, the axis belongs to the period still shown.
  const shown = today?.period ?? period;
  const asOf = today?.as_of ?? '';
  const times = useTimes();
  const parts = answerLayers(series);
  const hrefs = series.map(({ at, to }) => page('assessments', { from: at, to, period: undefined }));
  return (
    <>
      <ChartFrame
        label="Answers over time"
        height={HEIGHT}
        loading={today === undefined}
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
          label="Answers over time, bar by bar"
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
          marks={marks && chartMarks(marks, series)}
          onOpen={(bar) => navigate(hrefs[bar] ?? page('assessments'))}
        />
      </ChartFrame>
      {marks && <MarksList marks={marks} />}
    </>
  );
}
