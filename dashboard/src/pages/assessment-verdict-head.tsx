/** The head of an assessment: verdict, score, the reason in one sentence, the person, and actions. */
import { Link } from 'wouter';
import type { AssessmentDetail, ChallengeMark } from '../../../src/contract/dashboard-assessments.ts';
import { useScope } from '../scope.ts';
import { CopyText } from '../ui/copy-text.tsx';
import { Fact } from '../ui/fact.tsx';
import { countryName } from '../ui/format.ts';
import { RelativeTime } from '../ui/relative-time.tsx';
import { VerdictBadge } from '../ui/verdict-badge.tsx';
import { SignupActions } from './assessment-actions.tsx';
import { OfficeNote } from './assessment-office.tsx';
import styles from './assessment-view.module.css';
import { why } from './assessment-why.ts';

const CHALLENGE_METHODS: Readonly<Record<NonNullable<ChallengeMark['method']>, string>> = {
  application: 'your own check',
  turnstile: 'Turnstile',
  altcha: 'proof of work',
  hcaptcha: 'hCaptcha',
  recaptcha: 'reCAPTCHA',
  link: 'link in the mail',
  code: 'code in the mail',
};
const CHALLENGE_STATES: Readonly<Record<ChallengeMark['status'], string>> = {
  passed: 'Passed',
  failed: 'Failed',
  open: 'No result yet, expires',
  expired: 'No result, expired',
};

export function VerdictHead({ detail }: { detail: AssessmentDetail }) {
  const { page } = useScope();
  const { row } = detail;
  return (
    <header className={styles.head}>
      <div className={styles.verdict}>
        <VerdictBadge verdict={row.verdict} observed={row.shadow} large />
        <span className={styles.score}>
          <strong>{row.score}</strong> of 100
        </span>
        {row.mode === 'test' && <span className={styles.test}>sandbox</span>}
        <SignupActions detail={detail} />
      </div>
      <p className={styles.why}>{why(detail)}</p>
      <OfficeNote detail={detail} />
      {row.shadow && (
        <p className={styles.observed}>
          Observed only: the key was in shadow mode, so the API answered Allow.{' '}
          <Link href={page('shadow')}>Shadow mode report</Link>
        </p>
      )}
      <Facts detail={detail} />
    </header>
  );
}

function Facts({ detail }: { detail: AssessmentDetail }) {
  const { page } = useScope();
  const { row } = detail;
  const linkTo = (query: Record<string, string>) => page('assessments', { ...query, period: undefined });
  return (
    <dl className={styles.facts}>
      <Fact name="Email">
        <CopyText text={row.email} what="email" />
      </Fact>
      <Fact name="IP">
        <Ip detail={detail} />
      </Fact>
      {(row.asn > 0 || row.country_code !== '') && (
        <Fact name="Network">
          {row.asn > 0 && (
            <Link href={linkTo({ asn: `AS${row.asn}` })}>{`AS${row.asn} ${row.as_name}`.trim()}</Link>
          )}{' '}
          {row.country_code !== '' && (
            <Link href={linkTo({ country: row.country_code })}>{countryName(row.country_code)}</Link>
          )}
        </Fact>
      )}
      <Fact name="When">
        <RelativeTime at={row.at} />
      </Fact>
      <Fact name="Key">
        <Link href={linkTo({ key: row.key_id })}>{row.key_name || row.key_id}</Link>
      </Fact>
      {row.session_id !== null && (
        <Fact name="Session">
          <CopyText text={row.session_id} what="session id" />
        </Fact>
      )}
      {detail.challenge !== null && (
        <Fact name="Challenge">
          <ChallengeState challenge={detail.challenge} />
        </Fact>
      )}
      {detail.wave !== null && (
        <Fact name="Wave">
          <Link href={page(`campaigns/${detail.wave}`)}>Show its wave</Link>
        </Fact>
      )}
      <Fact name="Request" wide>
        <CopyText text={row.request_id} what="request id" />
      </Fact>
    </dl>
  );
}

function Ip({ detail: { row, signals } }: { detail: AssessmentDetail }) {
  if (row.ip !== null) return <CopyText text={row.ip} what="IP" />;
  return <span className="gh-faint">{signals.ip === undefined ? 'none usable' : 'no longer kept'}</span>;
}

/** State of a challenge in a few words, and its time. */
function ChallengeState({ challenge }: { challenge: ChallengeMark }) {
  const { status, method, at } = challenge;
  return (
    <>
      {CHALLENGE_STATES[status]}
      {method !== null && ` (${CHALLENGE_METHODS[method]})`} <RelativeTime at={at} />
    </>
  );
}
