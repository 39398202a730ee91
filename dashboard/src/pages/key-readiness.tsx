/** Whether a key in shadow mode is ready to enforce: what it has seen and would have done, to good customers and fraud alike. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type {
  ShadowCause,
  ShadowKeyReport,
  ShadowReadiness,
} from '../../../src/contract/dashboard-shadow.ts';
import { labelOfDetector } from '../../../src/contract/detectors.ts';
import { useScope } from '../scope.ts';
import { grouped, pluralize } from '../ui/format.ts';
import { ReportedEffect } from '../ui/reported-effect.tsx';
import { totalOf } from '../ui/verdicts.ts';
import styles from './key-readiness.module.css';
import {
  FRAUD,
  GOOD,
  missingWords,
  ReadinessState,
  STOPPED,
  useReadinessLink,
} from './key-readiness-state.tsx';

interface ReadinessProps {
  readonly keyId: string;
  readonly readiness: ShadowReadiness;
}

/** The same on the page and in the dialog that enforces: their figures cannot differ. */
export function Readiness({
  report,
}: {
  report: Pick<ShadowKeyReport, 'id' | 'readiness' | 'enforced_share'>;
}) {
  const { id: keyId, readiness, enforced_share: share } = report;
  if (readiness === null) return null;
  const { verdicts, reported } = readiness;
  const labelled = {
    good: reported.good_stopped + reported.good_allowed,
    fraud: reported.fraud_stopped + reported.fraud_allowed,
  };
  const effect = { helped: 0, harmed: reported.good_stopped, stopped: reported.fraud_stopped, let_in: 0 };
  return (
    <section className={styles.readiness} aria-label="Ready to enforce?">
      <p>
        <ReadinessState keyId={keyId} readiness={readiness} />{' '}
        <Seen keyId={keyId} readiness={readiness} share={share} />
      </p>
      <ReportedEffect effect={effect} labelled={labelled} />
      {reported.fraud_allowed > 0 && (
        <p className="gh-dim">
          <FigureLink keyId={keyId} filter={{ feedback: FRAUD, verdict: 'allow' }}>
            {grouped(reported.fraud_allowed)} reported as fraud
          </FigureLink>{' '}
          would still have got in.
        </p>
      )}
      {totalOf(verdicts) > 0 && <Causes keyId={keyId} readiness={readiness} />}
    </section>
  );
}

function Seen({ keyId, readiness, share }: ReadinessProps & { readonly share: number }) {
  const { state, days, verdicts, missing } = readiness;
  const total = totalOf(verdicts);
  return (
    <>
      {pluralize(days, 'day')}, <FigureLink keyId={keyId}>{pluralize(total, 'signup')}</FigureLink> observed
      in the last 30 days. It would have challenged{' '}
      <FigureLink keyId={keyId} filter={{ verdict: 'challenge' }}>
        {grouped(verdicts.challenge)}
      </FigureLink>{' '}
      and blocked{' '}
      <FigureLink keyId={keyId} filter={{ verdict: 'block' }}>
        {grouped(verdicts.block)}
      </FigureLink>
      .{state === 'collecting' && ` Wait for ${missingWords(missing)} more before you judge it.`}
      {share > 0 && share < 100 && ` It enforces for ${share}% of people, who are not in these figures.`}
    </>
  );
}

/** Causes that most of the good customers share, and what helps first. */
function Causes({ keyId, readiness: { causes, reported } }: ReadinessProps) {
  const [first] = causes;
  if (first === undefined) return null;
  return (
    <>
      <p className={styles.causes}>
        Good customers share:{' '}
        {causes.map(({ detector, good, fraud }, at) => (
          <span key={detector}>
            {at > 0 && '; '}
            <FigureLink keyId={keyId} filter={{ finding: detector, feedback: GOOD, verdict: STOPPED }}>
              {labelOfDetector(detector)} {grouped(good)} of {grouped(reported.good_stopped)}
            </FigureLink>{' '}
            and{' '}
            <FigureLink keyId={keyId} filter={{ finding: detector, feedback: FRAUD, verdict: STOPPED }}>
              {pluralize(fraud, 'fraud')}
            </FigureLink>
          </span>
        ))}
      </p>
      <p>
        What helps first: <FirstHelp keyId={keyId} cause={first} />
      </p>
    </>
  );
}

const BURSTS: ReadonlySet<string> = new Set(['ip_burst', 'domain_burst']);

function FirstHelp({ keyId, cause: { detector } }: { keyId: string; cause: ShadowCause }) {
  const { page } = useScope();
  if (BURSTS.has(detector))
    return (
      <>
        open one of these signups. If they are colleagues, <em>Shared office</em> stops counting that against
        them.
      </>
    );
  if (detector === 'deny_list')
    return (
      <>
        your <Link href={page('lists')}>Block list</Link> decided this. Remove the entry, or allow a narrower
        value.
      </>
    );
  return (
    <>
      try a higher threshold for this key in the{' '}
      <Link href={page('thresholds', { key: keyId, period: '30d', mode: undefined })}>simulator</Link>: it
      shows whom that helps, and which fraud it lets in.
    </>
  );
}

interface FigureLinkProps {
  readonly keyId: string;
  readonly filter?: Readonly<Record<string, string>>;
  readonly children: ReactNode;
}

function FigureLink({ keyId, filter = {}, children }: FigureLinkProps) {
  return <Link href={useReadinessLink(keyId)(filter)}>{children}</Link>;
}
