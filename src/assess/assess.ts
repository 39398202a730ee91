/** The pipeline: attempt → evidence → judgement → one durable record, whose text is the answer. */
import type { EmailAddress } from '../address/email.ts';
import { type Fingerprint, maskEmail } from '../address/fingerprint.ts';
import { networkOf } from '../address/ip.ts';
import { mailboxOf } from '../address/mailbox.ts';
import { Problem } from '../contract/problem.ts';
import { serializeAssessment } from '../contract/serialize.ts';
import type { Thresholds } from '../contract/thresholds.ts';
import { toTimestamp } from '../contract/timestamp.ts';
import type { Evidence } from '../evidence/evidence.ts';
import type { Gather } from '../evidence/gather.ts';
import type { Attempt } from './attempt.ts';
import { type Judgement, judge } from './judge.ts';
import { DEFAULT_POLICY } from './policy.ts';
import { judgeSandbox } from './sandbox.ts';
import { toSignals } from './signals.ts';

/** Who asks, by what the pipeline needs to know of them. */
export interface Asker {
  readonly accountId: string;
  readonly keyId: string;
  readonly mode: 'live' | 'test';
  readonly thresholds: Thresholds;
  /** Monthly cap, or `null` without one. */
  readonly cap: number | null;
}

/** What is kept of an assessment. */
export type AssessmentRecord = ReturnType<typeof toRecord> & Hashes & { readonly email: string | null };

/** Makes an assessment durable. @throws when it could not; then nothing was stored */
export type Recorder = (
  record: AssessmentRecord,
) => Promise<{ outcome: 'recorded' | 'quota_exceeded'; used: number }>;

export interface AssessOptions {
  readonly gather: Gather;
  readonly record: Recorder;
  readonly fingerprint: Fingerprint;
  /** Keep full addresses. */
  readonly storeEmails: boolean;
}

export interface Assessed {
  /** The exact text that was stored and is to be answered. */
  readonly body: string;
  readonly verdict: Judgement['verdict'];
  /** Live credits of the account after this. */
  readonly used: number;
}

export interface Moment {
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** `performance.now()` when the request came in. */
  readonly started: number;
}

/** @throws Problem `quota_exceeded` at the cap; any other error when the record could not be made durable */
export type Assess = (asker: Asker, attempt: Attempt, moment: Moment) => Promise<Assessed>;

export function createAssess({ gather, record, fingerprint, storeEmails }: AssessOptions): Assess {
  return async (asker, attempt, moment) => {
    const hashes = fingerprints(attempt.email, fingerprint);
    const judged =
      asker.mode === 'test'
        ? { ...judgeSandbox(attempt), undo: () => {} }
        : await judgeLive(asker, attempt, moment, hashes);
    try {
      const email = storeEmails ? attempt.email.address : null;
      const kept = { ...toRecord(asker, attempt, moment, judged), ...hashes, email };
      const { outcome, used } = await record(kept);
      if (outcome === 'quota_exceeded') throw new Problem('quota_exceeded');
      return { body: kept.body, verdict: kept.verdict, used };
    } catch (error) {
      judged.undo();
      throw error;
    }
  };

  async function judgeLive(asker: Asker, { email, ip }: Attempt, { at }: Moment, hashes: Hashes) {
    const { evidence, undo } = await gather({ account: asker.accountId, at, email, ip, ...hashes });
    const judgement = judge(evidence, { ...DEFAULT_POLICY, thresholds: asker.thresholds });
    return { evidence, judgement, undo };
  }
}

type Hashes = ReturnType<typeof fingerprints>;

interface Judged {
  readonly evidence: Evidence;
  readonly judgement: Judgement;
}

function toRecord(asker: Asker, attempt: Attempt, moment: Moment, { evidence, judgement }: Judged) {
  return {
    requestId: moment.requestId,
    accountId: asker.accountId,
    keyId: asker.keyId,
    mode: asker.mode,
    cap: asker.cap,
    at: moment.at,
    verdict: judgement.verdict,
    score: judgement.score,
    reasons: judgement.reasons.map(({ code }) => code),
    emailDomain: attempt.email.domain,
    emailMasked: maskEmail(attempt.email),
    ip: attempt.ip === null ? null : attempt.ip.text,
    network: attempt.ip === null ? null : networkOf(attempt.ip),
    countryCode: evidence.ip?.countryCode ?? '',
    asn: evidence.ip?.asn ?? 0,
    sessionId: attempt.sessionId,
    body: toBody(attempt, evidence, judgement, moment),
    evidence: JSON.stringify({ policy: DEFAULT_POLICY.version, findings: judgement.findings, evidence }),
  };
}

function fingerprints(email: EmailAddress, fingerprint: Fingerprint) {
  const mailbox = mailboxOf(email);
  const addressHash = fingerprint(email.address);
  return { addressHash, mailboxHash: mailbox === email.address ? addressHash : fingerprint(mailbox) };
}

function toBody(attempt: Attempt, evidence: Evidence, judgement: Judgement, moment: Moment): string {
  return serializeAssessment({
    request_id: moment.requestId,
    ...(attempt.sessionId === null ? {} : { session_id: attempt.sessionId }),
    verdict: judgement.verdict,
    score: judgement.score,
    reasons: [...judgement.reasons],
    signals: toSignals(evidence),
    ip_provided: evidence.ip !== null,
    ip_status: attempt.ipStatus,
    processed_ms: Math.round(performance.now() - moment.started),
    assessed_at: toTimestamp(moment.at),
  });
}
