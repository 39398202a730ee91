/** Draws verdicts over time: stacked areas from zero, labelled at their right end, exact values under a crosshair. */
import { Area, AreaChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import type { Verdict } from '../../../../src/contract/messages.ts';
import { grouped, short } from '../text/format.ts';
import { VERDICT_ORDER, VERDICTS } from '../verdict/verdicts.ts';
import { endLabels, niceCeiling } from './axis.ts';
import styles from './chart.module.css';

export type VerdictPoint = Readonly<Record<Verdict, number>> & { readonly at: string };

export interface StackedAreaProps {
  readonly series: readonly VerdictPoint[];
  readonly height: number;
  /** Starts of the buckets that the axis names; without it, as many as fit. */
  readonly ticks?: string[] | undefined;
  /** How a bucket's start is written on the axis and in the crosshair. */
  tick(at: string): string;
  title(at: string): string;
}

const TOP = 8;
const BOTTOM = 26;

export function StackedArea({ series, height, ticks: named, tick, title }: StackedAreaProps) {
  const { ceiling, ticks } = niceCeiling(Math.max(...series.map(totalOf)));
  return (
    <div className={styles.area}>
      <ResponsiveContainer width="100%" height={height}>
        <AreaChart
          data={series as VerdictPoint[]}
          margin={{ top: TOP, right: 12, bottom: 0, left: 0 }}
          accessibilityLayer={false}
        >
          <CartesianGrid vertical={false} stroke="var(--gh-line)" />
          <XAxis
            dataKey="at"
            height={BOTTOM}
            {...(named === undefined ? {} : { ticks: named })}
            tickFormatter={tick}
            tick={{ fill: 'var(--gh-faint)', fontSize: 11 }}
            tickLine={false}
            axisLine={{ stroke: 'var(--gh-line-strong)' }}
            minTickGap={32}
            interval="preserveStart"
          />
          <YAxis
            width={40}
            domain={[0, ceiling]}
            ticks={ticks}
            tickFormatter={short}
            tick={{ fill: 'var(--gh-faint)', fontSize: 11 }}
            tickLine={false}
            axisLine={false}
          />
          <Tooltip
            isAnimationActive={false}
            cursor={{ stroke: 'var(--gh-dim)', strokeWidth: 1 }}
            content={({ active, payload }) =>
              active && payload[0] ? <Exact point={payload[0].payload as VerdictPoint} title={title} /> : null
            }
          />
          {VERDICT_ORDER.map((verdict) => (
            <Area
              key={verdict}
              dataKey={verdict}
              stackId="verdicts"
              type="linear"
              stroke={VERDICTS[verdict].fill}
              fill={VERDICTS[verdict].fill}
              fillOpacity={verdict === 'allow' ? 0.28 : 0.72}
              strokeWidth={1.5}
              isAnimationActive={false}
              activeDot={{ r: 3 }}
            />
          ))}
        </AreaChart>
      </ResponsiveContainer>
      <EndLabels last={series.at(-1)} ceiling={ceiling} height={height} />
    </div>
  );
}

/** Names beside the last values instead of a legend. */
function EndLabels({
  last,
  ceiling,
  height,
}: {
  last: VerdictPoint | undefined;
  ceiling: number;
  height: number;
}) {
  if (last === undefined) return null;
  const labels = endLabels(
    VERDICT_ORDER.map((verdict) => last[verdict]),
    { ceiling, top: TOP, bottom: height - BOTTOM, gap: 18 },
  );
  return (
    <div className={styles.ends}>
      {VERDICT_ORDER.map((verdict, index) => {
        const { word, icon: Icon, ink } = VERDICTS[verdict];
        return (
          <span key={verdict} style={{ top: labels[index], color: ink }}>
            <Icon size={13} />
            {word}
          </span>
        );
      })}
    </div>
  );
}

function Exact({ point, title }: { point: VerdictPoint; title(at: string): string }) {
  return (
    <div className={styles.exact}>
      <strong>{title(point.at)}</strong>
      {[...VERDICT_ORDER].reverse().map((verdict) => {
        const { word, icon: Icon, ink } = VERDICTS[verdict];
        return (
          <div key={verdict}>
            <Icon size={13} style={{ color: ink }} />
            <span>{word}</span>
            <span>{grouped(point[verdict])}</span>
          </div>
        );
      })}
      <div>
        <span />
        <span>Together</span>
        <span>{grouped(totalOf(point))}</span>
      </div>
    </div>
  );
}

function totalOf(point: VerdictPoint): number {
  return VERDICT_ORDER.reduce((sum, verdict) => sum + point[verdict], 0);
}
