/** The month's use by UTC day: live below, sandbox on top of it; the last day is today, still counting. */
import type { UsagePage } from '../../../src/contract/dashboard-account.ts';
import { UTC } from '../../../src/model/time-zone.ts';
import { everyNth } from '../ui/chart-bar-layout.ts';
import { ChartFrame } from '../ui/chart-frame.tsx';
import { StackedBars } from '../ui/chart-stacked-bars.tsx';
import { grouped, LOCALE } from '../ui/format.ts';
import { createTimes } from '../ui/times.ts';

const HEIGHT = 230;
const UTC_TIMES = createTimes(LOCALE, UTC);
const LAYERS = [
  { id: 'live', word: 'Live', fill: 'var(--gh-ink)', ink: 'var(--gh-ink)', opacity: 0.78 },
  { id: 'test', word: 'Sandbox', fill: 'var(--gh-test)', ink: 'var(--gh-test)', opacity: 0.6 },
];

export function DaysChart({ days }: { days: UsagePage['days'] | undefined }) {
  const shown = days ?? [];
  const today = shown.length - 1;
  return (
    <ChartFrame
      label="Signups by day"
      height={HEIGHT}
      loading={days === undefined}
      operable
      table={{
        heads: ['Day', 'Live', 'Sandbox'],
        rows: shown.map(({ day, live, test }) => [UTC_TIMES.date(day), grouped(live), grouped(test)]),
      }}
    >
      <StackedBars
        label="Signups by day, bar by bar"
        layers={LAYERS}
        bars={shown.map(({ day, live, test }, at) => ({
          id: day,
          name: UTC_TIMES.dayNumber(day),
          title: at === today ? `${UTC_TIMES.day(day)} UTC, so far` : `${UTC_TIMES.day(day)} UTC`,
          values: [live, test],
          state: at === today ? 'running' : 'over',
        }))}
        height={HEIGHT}
        names={[1, 2, 5, 10].map((step) => everyNth(shown.length, step, 'first'))}
        unfinishedFrom={today}
      />
    </ChartFrame>
  );
}
