/** The pipeline: attempt → evidence → judgement → one durable record, which the answer can be made from again. */
import { type Fingerprint, maskEmail } from '../address/fingerprint.ts';
import type { Assessment, Verdict } from '../contract/messages.ts';
import type { ReasonCode } from '../contract/reasons.ts';
import type { CountedVelocity, Gather, Subject } from '../evidence/gather.ts';
import type { SharedAddresses } from '../evidence/shared-addresses.ts';
import type { Awaitable } from '../model/awaitable.ts';
import type { Evidence } from '../model/evidence.ts';
import type { IdempotencyClaim } from '../model/idempotency-claim.ts';
import type { KeyMode } from '../model/key-mode.ts';
import type { ListMatch } from '../model/list-entry.ts';
import type { Thresholds, WeightSet } from '../model/policy.ts';
import type { SignupAttempt } from '../model/signup-attempt.ts';
import { answeredVerdictOf } from './answer.ts';
import { writeBody } from './answer-body.ts';
import { type Facts, writeFacts } from './facts.ts';
import { type Judgement, judge, weightsOf } from './judge.ts';
import { judgeSandbox } from './sandbox.ts';
import { toSubject } from './to-subject.ts';

/** What the pipeline needs to know about the caller. */
export interface AssessmentCaller {
  readonly accountId: string;
  readonly keyId: string;
  readonly mode: KeyMode;
  /** In shadow mode the answer is `allow`, whatever the verdict is. */
  readonly shadow: boolean;
  readonly thresholds: Thresholds;
  readonly policy: WeightSet;
  /** Monthly cap, or `null` without one. */
  readonly cap: number | null;
}

/** An assessment as it is stored. */
export type AssessmentRecord = ReturnType<typeof toRecord>;

/** Makes an assessment durable. @throws when it could not; then nothing was stored */
export type Recorder = (
  record: AssessmentRecord,
) => PromiseLike<{ outcome: 'recorded' | 'quota_exceeded'; used: number }>;

export interface AssessOptions {
  readonly gather: Gather;
  readonly record: Recorder;
  readonly fingerprint: Fingerprint;
  /** Until then counts of mailboxes and addresses may be too low, milliseconds since the epoch: their key was replaced. Default: never. */
  readonly partialUntil?: () => number;
  /** Hashes under earlier keys: until then mailboxes are counted by these, too. */
  readonly olderHashes?: (text: string) => readonly string[];
  /** Counts the address of a live signup for its key; returns whether it is that of everybody. Default: never. */
  readonly noteAddress?: SharedAddresses['note'];
  /** Keep full addresses. */
  readonly storeEmails: boolean;
  /** What a challenged signup is offered to redeem; `undefined`: nothing. */
  readonly offerChallenge: (
    subject: Pick<Moment, 'requestId'> & Pick<AssessmentCaller, 'accountId' | 'mode'>,
    at: number,
  ) => Assessment['challenge'];
  /** Called for each stored assessment that an entry of the account's own lists decided; `at` in milliseconds. */
  readonly onListed: (match: ListMatch, at: number) => void;
}

export interface AssessResult {
  /** The exact text of the answer. It is not stored: `answerBodyOf` makes it again. */
  readonly body: string;
  readonly verdict: Verdict;
  /** The verdict in `body`: in shadow mode `allow`. */
  readonly answeredVerdict: Verdict;
  /** By weight, heaviest first; each code once. */
  readonly reasons: readonly ReasonCode[];
  /** Live credits of the account after this. */
  readonly used: number;
}

export interface QuotaExceeded {
  readonly body: null;
  readonly used: number;
}

export interface Moment {
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** `performance.now()` when the request came in. */
  readonly started: number;
}

/** The counts of a live attempt, and how to undo them. */
export interface VelocityReservation extends CountedVelocity {
  /** Removes the attempt from the counters. */
  undo(): Promise<void>;
}

/** A signup with everything that is known without a look-up. */
export interface PreparedSignup {
  readonly caller: AssessmentCaller;
  readonly attempt: SignupAttempt;
  readonly moment: Moment;
  /** The values that counters and sources look up. */
  readonly subject: Subject;
}

export interface Assess {
  prepare(caller: AssessmentCaller, attempt: SignupAttempt, moment: Moment): PreparedSignup;
  /**
   * `counted`: `null` in the sandbox, which counts nothing; undone where nothing was stored. `claim`: the idempotency key
   * that is stored with the assessment.
   * `quota_exceeded`: the cap was reached, nothing was stored. @throws when the record could not be made durable
   */
  assess(
    prepared: PreparedSignup,
    counted: VelocityReservation | null,
    claim?: IdempotencyClaim | null,
  ): PromiseLike<AssessResult | QuotaExceeded>;
}

export function createAssess(options: AssessOptions): Assess {
  const { gather, record, fingerprint, storeEmails, onListed } = options;
  const { partialUntil = () => 0, olderHashes } = options;

  function gatherEvidence({ subject }: PreparedSignup, counted: VelocityReservation | null) {
    if (counted === null) throw new Error('a live signup must be counted before it is judged');
    const { counts, voices } = counted;
    const isPartial = subject.at < partialUntil() && !counts.partial;
    return gather(subject, isPartial ? { counts: { ...counts, partial: true }, voices } : counted);
  }

  /** Judges and records; undoes the counts where that fails, and never throws. `evidence`: `null` in the sandbox. */
  function conclude(
    prepared: PreparedSignup,
    evidence: Evidence | null,
    counted: VelocityReservation | null,
    claim: IdempotencyClaim | null,
  ): PromiseLike<AssessResult | QuotaExceeded> {
    const undo = createUndo(counted);
    try {
      const evaluation = evaluate(prepared, evidence && withSharedAddress(prepared, evidence, options));
      const facts = toFacts(prepared, evaluation, offer(prepared, evaluation, options));
      const stored = toRecord(prepared, evaluation, facts, claim, storeEmails);
      const body = writeBody(stored, facts);
      // While it is stored, only this is kept in memory.
      const { verdict, reasons, at } = stored;
      const { list } = evaluation.evidence;
      const answeredVerdict = answeredVerdictOf(stored.shadow, stored);
      return record(stored).then(({ outcome, used }): Awaitable<AssessResult | QuotaExceeded> => {
        if (outcome === 'quota_exceeded') return toQuotaExceeded(counted, used);
        if (list !== null) onListed(list, at);
        return { body, verdict, answeredVerdict, reasons, used };
      }, undo);
    } catch (error) {
      return undo(error);
    }
  }

  return {
    prepare(caller, attempt, moment) {
      const event = { id: moment.requestId, account: caller.accountId, at: moment.at };
      const older = event.at < partialUntil() ? olderHashes : undefined;
      return { caller, attempt, moment, subject: toSubject(attempt, event, fingerprint, older) };
    },
    assess(prepared, counted, claim = null) {
      try {
        const gathering = prepared.caller.mode === 'test' ? null : gatherEvidence(prepared, counted);
        if (!(gathering instanceof Promise)) return conclude(prepared, gathering, counted, claim);
        const undo = createUndo(counted);
        return gathering.then((evidence) => conclude(prepared, evidence, counted, claim), undo);
      } catch (error) {
        return createUndo(counted)(error);
      }
    },
  };
}

function offer(
  { caller, moment }: PreparedSignup,
  { judgement }: Evaluation,
  { offerChallenge }: Pick<AssessOptions, 'offerChallenge'>,
): Assessment['challenge'] {
  if (answeredVerdictOf(caller.shadow, judgement) !== 'challenge') return undefined;
  const { accountId, mode } = caller;
  return offerChallenge({ requestId: moment.requestId, accountId, mode }, moment.at);
}

function withSharedAddress(
  { caller, attempt, subject }: PreparedSignup,
  evidence: Evidence,
  { noteAddress = () => false }: Pick<AssessOptions, 'noteAddress'>,
): Evidence {
  const { ip } = evidence;
  const { network, mailbox, account, at } = subject;
  // A directory or an administrator brings everybody from one place.
  if (ip === null || network === null || attempt.broughtBy !== null) return evidence;
  const isShared = noteAddress({ keyId: caller.keyId, account, at, network, mailbox }, ip.datacenter);
  return isShared ? { ...evidence, ip: { ...ip, sharedByKey: true } } : evidence;
}

/** What was not stored is not counted either. */
async function toQuotaExceeded(counted: VelocityReservation | null, used: number): Promise<QuotaExceeded> {
  await counted?.undo();
  return { body: null, used };
}

/** Undoes the counts of a signup that failed, and fails with the same error. */
function createUndo(counted: VelocityReservation | null): (error: unknown) => Promise<never> {
  return async (error) => {
    await counted?.undo();
    throw error;
  };
}

/** The sandbox does not use the weights of a policy. */
const SANDBOX_POLICY = 'sandbox';

interface Evaluation {
  readonly evidence: Evidence;
  readonly judgement: Judgement;
}

/** `evidence`: `null` in the sandbox. */
function evaluate({ caller, attempt }: PreparedSignup, evidence: Evidence | null): Evaluation {
  if (evidence === null) return judgeSandbox(attempt);
  const { thresholds, policy } = caller;
  const { version, weights } = policy;
  return { evidence, judgement: judge(evidence, { version, weights, thresholds }) };
}

function toFacts(
  { caller, attempt }: PreparedSignup,
  { evidence, judgement }: Evaluation,
  challenge: Assessment['challenge'],
): Facts {
  const suggests = !caller.shadow && evidence.email.providerMeant !== '';
  return {
    policy: caller.mode === 'test' ? SANDBOX_POLICY : caller.policy.version,
    thresholds: caller.thresholds,
    findings: judgement.findings,
    evidence,
    ipStatus: attempt.ipStatus,
    local: suggests ? attempt.email.local : '',
    challenge,
  };
}

/** One literal, so that every record has the same shape. */
function toRecord(
  prepared: PreparedSignup,
  evaluation: Evaluation,
  facts: Facts,
  claim: IdempotencyClaim | null,
  storeEmails: boolean,
) {
  const { caller, attempt, moment, subject } = prepared;
  const { evidence, judgement } = evaluation;
  const { findings, reasons } = judgement;
  return {
    requestId: moment.requestId,
    accountId: caller.accountId,
    keyId: caller.keyId,
    mode: caller.mode,
    shadow: caller.shadow,
    cap: caller.cap,
    claim,
    at: moment.at,
    verdict: judgement.verdict,
    score: judgement.score,
    reasons,
    emailDomain: attempt.email.domain,
    addressHash: subject.addressHash,
    mailboxHash: subject.mailbox,
    emailMasked: maskEmail(attempt.email),
    email: storeEmails ? attempt.email.address : null,
    ip: attempt.ip === null ? null : attempt.ip.text,
    network: subject.network,
    countryCode: evidence.ip === null ? '' : evidence.ip.countryCode,
    asn: evidence.ip === null ? 0 : evidence.ip.asn,
    sessionId: attempt.sessionId,
    processedMs: Math.round(performance.now() - moment.started),
    weights: weightsOf(findings, reasons),
    facts: writeFacts(facts, reasons),
  };
}
