/** Shows how many signups were assessed, and the share of each verdict against the period before. */
import type { Overview } from '../../../src/contract/dashboard-account.ts';
import { PERIODS, useScope } from '../scope.ts';
import { grouped, percent } from '../ui/format.ts';
import { StatCard, StatRow } from '../ui/stat-card.tsx';
import { totalOf, VERDICT_ORDER, VERDICTS } from '../ui/verdicts.ts';
import { changeOf } from './overview-comparison.ts';

export function VerdictStats({ overview }: { overview: Overview | undefined }) {
  const { page, period } = useScope();
  const total = overview && totalOf(overview.totals);
  const before = overview?.before ?? null;
  const allBefore = before && totalOf(before);
  return (
    <StatRow>
      <StatCard
        label="Signups"
        value={total === undefined ? undefined : grouped(total)}
        note={overview && changeOf(total ?? 0, allBefore, PERIODS[overview.period])}
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
                  {before && allBefore ? ` · ${percent(before[verdict], allBefore)} before` : ''}
                  {verdict === 'challenge' && passedOf(overview)}
                </>
              )
            }
          />
        );
      })}
    </StatRow>
  );
}

/** Numbers of passed and failed challenges, where an application redeems them. */
function passedOf({ challenges }: Overview): string {
  const { passed, failed } = challenges;
  return passed + failed === 0 ? '' : ` · ${grouped(passed)} passed, ${grouped(failed)} failed`;
}
