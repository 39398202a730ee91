/** The month's use by days of the account's clock: live below, sandbox on top of it; the last day is today, still counting. */
import { useLocation } from 'wouter';
import type { UsagePage } from '../../../src/contract/dashboard-account.ts';
import { useScope } from '../scope.ts';
import { everyNth } from '../ui/chart-bar-layout.ts';
import { ChartFrame } from '../ui/chart-frame.tsx';
import { StackedBars } from '../ui/chart-stacked-bars.tsx';
import { grouped } from '../ui/format.ts';
import { useTimes } from '../ui/use-times.ts';

type Day = UsagePage['days'][number];

const HEIGHT = 230;
const LAYERS = [
  { id: 'live', word: 'Live', fill: 'var(--gh-ink)', ink: 'var(--gh-ink)', opacity: 0.78 },
  { id: 'test', word: 'Sandbox', fill: 'var(--gh-test)', ink: 'var(--gh-test)', opacity: 0.6 },
];

export function DaysChart({ days }: { days: UsagePage['days'] | undefined }) {
  const { page } = useScope();
  const [, navigate] = useLocation();
  const times = useTimes();
  const shown = days ?? [];
  const today = shown.length - 1;
  const hrefOf = ({ from, to }: Day, mode?: 'test') =>
    page('assessments', { from, to, mode, period: undefined });
  // A list of signups is live or sandbox: a bar opens the live ones, unless it has none.
  const hrefOfBar = (day: Day) => hrefOf(day, day.live === 0 && day.test > 0 ? 'test' : undefined);
  return (
    <ChartFrame
      label="Signups by day"
      height={HEIGHT}
      loading={days === undefined}
      operable
      table={{
        heads: ['Day', 'Live', 'Sandbox'],
        rows: shown.map(({ from, live, test }) => [times.date(from), grouped(live), grouped(test)]),
        cellHrefs: shown.map((day) => [hrefOf(day), hrefOf(day, 'test')]),
      }}
    >
      <StackedBars
        label="Signups by day, bar by bar"
        layers={LAYERS}
        bars={shown.map(({ from, live, test }, at) => ({
          id: from,
          name: times.dayNumber(from),
          title: at === today ? `${times.day(from)}, so far` : times.day(from),
          values: [live, test],
          state: at === today ? 'running' : 'over',
        }))}
        height={HEIGHT}
        names={[1, 2, 5, 10].map((step) => everyNth(shown.length, step, 'first'))}
        unfinishedFrom={today}
        onOpen={(bar) => navigate(hrefOfBar(shown[bar] as Day))}
      />
    </ChartFrame>
  );
}
