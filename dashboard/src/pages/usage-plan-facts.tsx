/** What the plan allows and what happens above it. */
import { Button } from '@mantine/core';
import { Link } from 'wouter';
import type { UsagePage } from '../../../src/contract/dashboard-account.ts';
import { linkTo } from '../pages.ts';
import { useScope } from '../scope.ts';
import { Fact } from '../ui/fact.tsx';
import { grouped, money } from '../ui/format.ts';
import styles from './usage-page.module.css';

export function PlanFacts({ usage }: { usage: UsagePage }) {
  const { operator } = useScope();
  const { plan, limit, requests_per_second, overage, overage_rate_per_1k } = usage;
  return (
    <>
      <dl className={styles.facts}>
        <Fact name="Plan">{plan[0]?.toUpperCase() + plan.slice(1)}</Fact>
        <Fact name="Signups a month">{grouped(limit)}</Fact>
        <Fact name="Requests a second">{grouped(requests_per_second)}, three times as many in bursts</Fact>
        <Fact name="Above the limit">
          {overage
            ? `answered, at ${money(overage_rate_per_1k)} per 1,000`
            : 'refused with quota_exceeded until the month ends'}
        </Fact>
      </dl>
      {operator ? (
        <Button component={Link} href={linkTo('/operator')} variant="default">
          Change plan
        </Button>
      ) : (
        <p className="gh-dim">The operator of this installation changes the plan.</p>
      )}
    </>
  );
}
