/** Shows how many signups were assessed, and the share of each answer against the period before. */
import type { Overview } from '../../../src/contract/dashboard-account.ts';
import type { Verdict } from '../../../src/contract/messages.ts';
import { PERIODS, useScope } from '../scope.ts';
import { grouped, percent } from '../ui/format.ts';
import { StatCard, StatRow } from '../ui/stat-card.tsx';
import { OBSERVED, observedOf, signupsOf, VERDICT_ORDER, VERDICTS } from '../ui/verdicts.ts';
import { changeOf } from './overview-comparison.ts';

export function VerdictStats({ overview }: { overview: Overview | undefined }) {
  const { page, period } = useScope();
  const total = overview && signupsOf(overview.totals);
  const before = overview?.before ?? null;
  const allBefore = before && signupsOf(before);
  const observed = overview === undefined ? 0 : observedOf(overview.totals);
  return (
    <StatRow>
      <StatCard
        label="Signups"
        value={total === undefined ? undefined : grouped(total)}
        note={overview && changeOf(signupsOf(overview.compared), allBefore, PERIODS[overview.period])}
        href={page('assessments', { period })}
      />
      {VERDICT_ORDER.map((verdict) => {
        const { word, icon: Icon, ink } = VERDICTS[verdict];
        return (
          <StatCard
            key={verdict}
            icon={<Icon size={15} style={{ color: ink }} aria-hidden />}
            label={word}
            href={page('assessments', { period, verdict, shadow: shadowFilter(overview, verdict) })}
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
      {observed > 0 && (
        <StatCard
          icon={<OBSERVED.icon size={15} style={{ color: OBSERVED.ink }} aria-hidden />}
          label="Would have been stopped"
          href={page('assessments', { period, verdict: 'challenge,block', shadow: 'true' })}
          value={percent(observed, total ?? 0)}
          note={
            <>
              {grouped(observed)} let in
              {before && allBefore ? ` · ${percent(observedOf(before), allBefore)} before` : ''}
            </>
          }
        />
      )}
    </StatRow>
  );
}

/** Leaves out those that were only observed, where there are any. */
function shadowFilter(overview: Overview | undefined, verdict: Verdict): 'false' | undefined {
  return verdict !== 'allow' && (overview?.totals.observed[verdict] ?? 0) > 0 ? 'false' : undefined;
}

/** Numbers of passed and failed challenges, where an application redeems them. */
function passedOf({ challenges }: Overview): string {
  const { passed, failed } = challenges;
  return passed + failed === 0 ? '' : ` · ${grouped(passed)} passed, ${grouped(failed)} failed`;
}
