/** Causes of open mistakes: their count, a remedy, and its effect on good customers and on fraud. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { MistakeGroup, Remedy, RemedyEffect } from '../../../src/contract/dashboard-mistakes.ts';
import { type Scope, useScope } from '../scope.ts';
import { Card } from '../ui/card.tsx';
import { grouped, pluralize } from '../ui/format.ts';
import { ReportedEffect } from '../ui/reported-effect.tsx';
import styles from './feedback-page.module.css';

const SIDES = { good: 'good customer', fraud: 'fraud let in' } as const;
/** Fewer labels say little, and the page says so. */
const FEW = 20;

export function Causes({
  groups,
  chosen,
}: {
  groups: readonly MistakeGroup[] | undefined;
  chosen: string | undefined;
}) {
  const { page, period } = useScope();
  if (groups === undefined || groups.length === 0) return null;
  return (
    <Card title="By cause" note="what would help, and whom it would help and harm" flush>
      <ul className={styles.causes}>
        {groups.map((group) => {
          const { cause, title, side, count, remedy } = group;
          return (
            <li key={cause} className={styles.cause} data-chosen={cause === chosen || undefined}>
              <div>
                <h3>{title}</h3>
                <Link href={page('feedback', { period, cause })}>
                  {grouped(count)} {SIDES[side]}
                  {count === 1 || side === 'fraud' ? '' : 's'}
                  <span className="gh-hidden">, {title}: show them below</span>
                </Link>
              </div>
              {remedy === null ? (
                <p className="gh-dim">No change helps all of them. Open each one.</p>
              ) : (
                <Proposal remedy={remedy} side={side} />
              )}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

type Proposed = NonNullable<MistakeGroup['remedy']>;

function Proposal({ remedy, side }: { remedy: Proposed; side: MistakeGroup['side'] }) {
  const scope = useScope();
  const { change, carries, effect, labelled } = remedy;
  const isProposed = carries || change.kind !== 'thresholds';
  return (
    <div className={styles.remedy}>
      {isProposed && <RemedyLink change={change} scope={scope} />}
      <p>
        {!isProposed && 'No change of thresholds is proposed. '}
        <Certainty remedy={remedy} side={side} />
      </p>
      {isProposed && <ReportedEffect effect={effect} labelled={labelled} />}
    </div>
  );
}

/** Pages that a member may not open are named, not linked. */
function RemedyLink({ change, scope }: { change: Remedy; scope: Scope }): ReactNode {
  const words = wordsOf(change);
  const isForAll = change.kind === 'wave' || change.kind === 'office' || change.kind === 'list';
  if (!scope.canList && !isForAll) return <strong>{words}</strong>;
  return <Link href={hrefOf(change, scope)}>{words}</Link>;
}

function wordsOf(change: Remedy): string {
  switch (change.kind) {
    case 'thresholds': {
      const verb = change.to > change.from ? 'Raise' : 'Lower';
      const what = change.moves === 'challenge' ? 'challenges start' : 'blocking starts';
      return `${verb} where ${what} from ${change.from} to ${change.to}`;
    }
    case 'entry':
      return `Remove ${change.value} from your ${change.action === 'deny' ? 'Block' : 'Allow'} list`;
    case 'wave':
      return 'Say that the wave is no attack';
    case 'office':
      return `Treat ${change.value} as a shared office`;
    case 'list':
      return `${change.action === 'allow' ? 'Allow' : 'Block'} ${change.domain}`;
  }
}

function hrefOf(change: Remedy, { page, period }: Scope): string {
  switch (change.kind) {
    case 'thresholds': {
      const { challenge, block } = change.thresholds;
      return page('thresholds', { period, challenge: String(challenge), block: String(block) });
    }
    case 'entry':
      return page('lists', { list: change.action === 'deny' ? 'block' : undefined });
    case 'wave':
      return page(`campaigns/${change.id}`);
    case 'office':
    case 'list':
      return page(`assessments/${change.request_id}`);
  }
}

interface CertaintyProps {
  readonly remedy: RemedyEffect;
  readonly side: MistakeGroup['side'];
}

/** Both labels with links to their signups, and the interval in words. */
function Certainty({ remedy: { labelled, filters, right }, side }: CertaintyProps) {
  const { page, period } = useScope();
  const { good, fraud } = labelled;
  const rows = (filter: RemedyEffect['filters']['good']) => page('assessments', { period, ...filter });
  const total = good + fraud;
  const who = side === 'good' ? 'good customers' : 'fraud';
  return (
    <>
      Reported among these signups: <Link href={rows(filters.good)}>{pluralize(good, 'good customer')}</Link>{' '}
      and <Link href={rows(filters.fraud)}>{pluralize(fraud, 'fraud')}</Link>.{' '}
      {right !== null && (
        <span className="gh-dim">
          {total < FEW ? `Only ${pluralize(total, 'report')}: between` : 'Between'} {right.low}% and{' '}
          {right.high}% of all such signups are {who}.
        </span>
      )}
    </>
  );
}
