/** Decides where alerts and changes are on the axis of a chart whose bars are equally wide. */
import type { Today, TodayMarks } from '../../../src/contract/dashboard-today.ts';
import type { ChartMark } from '../ui/chart-bars.ts';

type Series = readonly Pick<Today['series'][number], 'at' | 'to'>[];

/** An alert that began before the first bar has no flag: it would be at a wrong time. */
export function chartMarks({ alerts, changes }: TodayMarks, series: Series): ChartMark[] {
  const start = Date.parse(series[0]?.at ?? '');
  const begun = alerts.filter(({ at }) => Date.parse(at) >= start);
  return [
    ...begun.map(({ id, at }) => ({ id, kind: 'flag' as const, place: placeOf(at, series) })),
    ...changes.map(({ at }, index) => ({
      id: `${at} ${index}`,
      kind: 'tick' as const,
      place: placeOf(at, series),
    })),
  ];
}

/** 0 … 1 */
export function placeOf(at: string, series: Series): number {
  const time = Date.parse(at);
  const bar = series.findLastIndex((bucket) => Date.parse(bucket.at) <= time);
  const bucket = series[bar];
  if (bucket === undefined) return 0;
  const [start, end] = [Date.parse(bucket.at), Date.parse(bucket.to)];
  return (bar + Math.min(1, (time - start) / (end - start))) / series.length;
}
