/** Shows how many were assessed, and the share of each verdict against the period before. */
import type { Overview, VerdictCounts } from '../../../../src/contract/dashboard/account.ts';
import { useScope } from '../../scope.ts';
import { StatCard, StatRow } from '../../ui/layout/stat-card.tsx';
import { grouped, percent } from '../../ui/text/format.ts';
import { VERDICT_ORDER, VERDICTS } from '../../ui/verdict/verdicts.ts';

export function VerdictStats({ overview }: { overview: Overview | undefined }) {
  const { page, period } = useScope();
  const total = overview && totalOf(overview.totals);
  const before = overview && totalOf(overview.before);
  return (
    <StatRow>
      <StatCard
        label="Assessments"
        value={total === undefined ? undefined : grouped(total)}
        note={before === undefined ? undefined : change(total ?? 0, before)}
        href={page('assessments', { period })}
      />
      {VERDICT_ORDER.map((verdict) => {
        const { word, icon: Icon, ink } = VERDICTS[verdict];
        return (
          <StatCard
            key={verdict}
            icon={<Icon size={15} style={{ color: ink }} aria-hidden />}
            label={word}
            href={page('assessments', { period, verdict })}
            value={overview && percent(overview.totals[verdict], total ?? 0)}
            note={
              overview && (
                <>
                  {grouped(overview.totals[verdict])}
                  {before !== 0 && ` · ${percent(overview.before[verdict], before ?? 0)} before`}
                </>
              )
            }
          />
        );
      })}
    </StatRow>
  );
}

export function totalOf(counts: VerdictCounts): number {
  return counts.allow + counts.challenge + counts.block;
}

function change(now: number, before: number): string {
  if (before === 0) return 'none in the period before';
  const share = (100 * (now - before)) / before;
  if (Math.abs(share) < 1) return 'as in the period before';
  return `${Math.abs(share) < 1000 ? `${grouped(Math.abs(share))} %` : 'far'} ${share > 0 ? 'more' : 'fewer'} than before`;
}
