/** The pipeline: attempt → evidence → judgement → one durable record, whose text is the answer. */
import type { EmailAddress } from '../address/email.ts';
import { type Fingerprint, maskEmail } from '../address/fingerprint.ts';
import { networkOf } from '../address/ip.ts';
import { mailboxOf } from '../address/mailbox.ts';
import type { Assessment } from '../contract/messages.ts';
import { Problem } from '../contract/problem.ts';
import { serializeAssessment } from '../contract/serialize.ts';
import type { Thresholds } from '../contract/thresholds.ts';
import { toTimestamp } from '../contract/timestamp.ts';
import type { Evidence, ListMatch } from '../evidence/evidence.ts';
import type { Gather, Gathered } from '../evidence/gather.ts';
import type { Weighing } from './account-policy.ts';
import type { Attempt } from './attempt.ts';
import { serializeGrounds } from './grounds.ts';
import { type Judgement, judge, weightOf } from './judge.ts';
import { judgeSandbox } from './sandbox.ts';
import { toSignals } from './signals.ts';

/** Who asks, by what the pipeline needs to know of them. */
export interface Asker {
  readonly accountId: string;
  readonly keyId: string;
  readonly mode: 'live' | 'test';
  readonly thresholds: Thresholds;
  readonly policy: Weighing;
  /** Monthly cap, or `null` without one. */
  readonly cap: number | null;
}

/** What is kept of an assessment. */
export type AssessmentRecord = ReturnType<typeof toRecord>;

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
  /** Told of each stored assessment that an entry of the account's own lists decided; `at` in milliseconds. */
  readonly onListed: (match: ListMatch, at: number) => void;
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

export function createAssess(options: AssessOptions): Assess {
  const { gather, record, fingerprint, storeEmails, onListed } = options;
  return async (asker, attempt, moment) => {
    const hashes = fingerprints(attempt.email, fingerprint);
    const judging = asker.mode === 'test' ? judgeSandbox(attempt) : judgeLive(asker, attempt, moment, hashes);
    const judged: Judged = judging instanceof Promise ? await judging : judging;
    try {
      const kept = toRecord(asker, attempt, moment, judged, hashes, storeEmails);
      const { outcome, used } = await record(kept);
      if (outcome === 'quota_exceeded') throw new Problem('quota_exceeded');
      if (judged.evidence.list !== null) onListed(judged.evidence.list, moment.at);
      return { body: kept.body, verdict: kept.verdict, used };
    } catch (error) {
      await judged.undo?.();
      throw error;
    }
  };

  function judgeLive(
    asker: Asker,
    attempt: Attempt,
    { at }: Moment,
    hashes: Hashes,
  ): Judged | Promise<Judged> {
    const gathering = gather({
      account: asker.accountId,
      at,
      email: attempt.email,
      ip: attempt.ip,
      addressHash: hashes.addressHash,
      mailboxHash: hashes.mailboxHash,
    });
    const { version, weights } = asker.policy;
    const policy = { version, weights, thresholds: asker.thresholds };
    const judgeGathered = ({ evidence, undo }: Gathered): Judged => ({
      evidence,
      judgement: judge(evidence, policy),
      undo,
    });
    return gathering instanceof Promise ? gathering.then(judgeGathered) : judgeGathered(gathering);
  }
}

/** No weights of ours are behind what the sandbox says. */
const SANDBOX_POLICY = 'sandbox';

type Hashes = ReturnType<typeof fingerprints>;

interface Judged {
  readonly evidence: Evidence;
  readonly judgement: Judgement;
  /** Takes a live attempt out of the velocity counts again. */
  readonly undo?: () => void | Promise<void>;
}

/** One literal, so that every record has the same shape. */
function toRecord(
  asker: Asker,
  attempt: Attempt,
  moment: Moment,
  { evidence, judgement }: Judged,
  { addressHash, mailboxHash }: Hashes,
  storeEmails: boolean,
) {
  const processedMs = Math.round(performance.now() - moment.started);
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
    addressHash,
    mailboxHash,
    emailMasked: maskEmail(attempt.email),
    email: storeEmails ? attempt.email.address : null,
    ip: attempt.ip === null ? null : attempt.ip.text,
    network: attempt.ip === null ? null : networkOf(attempt.ip),
    countryCode: evidence.ip === null ? '' : evidence.ip.countryCode,
    asn: evidence.ip === null ? 0 : evidence.ip.asn,
    sessionId: attempt.sessionId,
    processedMs,
    weights: judgement.reasons.map(({ code }) => weightOf(judgement.findings, code)),
    body: toBody(attempt, evidence, judgement, moment, processedMs),
    evidence: serializeGrounds({
      policy: asker.mode === 'test' ? SANDBOX_POLICY : asker.policy.version,
      thresholds: asker.thresholds,
      findings: judgement.findings,
      evidence,
    }),
  };
}

function fingerprints(email: EmailAddress, fingerprint: Fingerprint) {
  const mailbox = mailboxOf(email);
  const addressHash = fingerprint(email.address);
  return { addressHash, mailboxHash: mailbox === email.address ? addressHash : fingerprint(mailbox) };
}

function toBody(
  attempt: Attempt,
  evidence: Evidence,
  judgement: Judgement,
  moment: Moment,
  processedMs: number,
): string {
  const message: Assessment = {
    request_id: moment.requestId,
    verdict: judgement.verdict,
    score: judgement.score,
    reasons: judgement.reasons as Assessment['reasons'],
    signals: toSignals(evidence),
    ip_provided: evidence.ip !== null,
    ip_status: attempt.ipStatus,
    processed_ms: processedMs,
    assessed_at: toTimestamp(moment.at),
  };
  if (attempt.sessionId !== null) message.session_id = attempt.sessionId;
  return serializeAssessment(message);
}
