/** Draws the use of each day as bars: live solid, sandbox on top of it in its own tint. */
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { grouped, short } from '../text/format.ts';
import { niceCeiling } from './axis.ts';
import styles from './chart.module.css';

export interface DayUse {
  readonly day: string;
  readonly live: number;
  readonly test: number;
}

const TICK = { fill: 'var(--gh-faint)', fontSize: 11 };

export function DayBars({ days, height }: { days: readonly DayUse[]; height: number }) {
  const { ceiling, ticks } = niceCeiling(Math.max(0, ...days.map(({ live, test }) => live + test)));
  return (
    <ResponsiveContainer width="100%" height={height}>
      <BarChart
        data={days as DayUse[]}
        margin={{ top: 8, right: 0, bottom: 0, left: 0 }}
        accessibilityLayer={false}
        barCategoryGap="24%"
      >
        <CartesianGrid vertical={false} stroke="var(--gh-line)" />
        <XAxis
          dataKey="day"
          tickFormatter={(day: string) => String(Number(day.slice(-2)))}
          tick={TICK}
          tickLine={false}
          axisLine={{ stroke: 'var(--gh-line-strong)' }}
          minTickGap={12}
        />
        <YAxis
          width={40}
          domain={[0, ceiling]}
          ticks={ticks}
          tickFormatter={short}
          tick={TICK}
          tickLine={false}
          axisLine={false}
        />
        <Tooltip
          isAnimationActive={false}
          cursor={{ fill: 'var(--gh-hover)' }}
          content={({ active, payload }) =>
            active && payload[0] ? <Exact day={payload[0].payload as DayUse} /> : null
          }
        />
        <Bar
          dataKey="live"
          stackId="use"
          fill="var(--gh-ink)"
          fillOpacity={0.78}
          maxBarSize={36}
          isAnimationActive={false}
        />
        <Bar
          dataKey="test"
          stackId="use"
          fill="var(--gh-test)"
          fillOpacity={0.45}
          maxBarSize={36}
          isAnimationActive={false}
        />
      </BarChart>
    </ResponsiveContainer>
  );
}

function Exact({ day: { day, live, test } }: { day: DayUse }) {
  return (
    <div className={styles.exact}>
      <strong>{day}</strong>
      <div>
        <span />
        <span>Live</span>
        <span>{grouped(live)}</span>
      </div>
      <div>
        <span />
        <span>Sandbox</span>
        <span>{grouped(test)}</span>
      </div>
    </div>
  );
}
