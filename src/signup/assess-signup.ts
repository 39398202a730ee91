/** Decides what happens to a signup, from the first step to the last: read, admit, gather, judge, record, answer. */
import type { Assessment, Verdict } from '../contract/messages.ts';
import type { OperationId } from '../contract/operations.ts';
import { Problem } from '../contract/problem.ts';
import type { ReasonCode } from '../contract/reasons.ts';
import type { CountedVelocity, Gather } from '../evidence/gather.ts';
import { ownerOf, type SharedAddresses } from '../evidence/shared-addresses.ts';
import type { Evidence } from '../model/evidence.ts';
import type { IdempotencyClaim } from '../model/idempotency-claim.ts';
import type { KeyMode } from '../model/key-mode.ts';
import type { ListMatch, OfficeMatch } from '../model/list-entry.ts';
import type { AssessmentRecord, AssessmentStore } from '../store/store.ts';
import type { RateState, Reservation } from '../velocity/counters.ts';
import { answeredVerdictOf, shadowVerdictOf } from './answer.ts';
import { writeBody } from './answer-body.ts';
import { type Facts, writeFacts } from './facts.ts';
import type { ClaimedTurn, Idempotency } from './idempotency.ts';
import { type Judgement, judge, weightsOf } from './judge.ts';
import {
  type PreparedSignup,
  type PrepareSignupOptions,
  prepareSignup,
  type SignupRequest,
} from './prepare-signup.ts';
import type { Quota } from './quota.ts';
import { type LimitReport, limitedRequestOf, type RateLimiter, toLimitReport } from './rate-limit.ts';
import { judgeSandbox } from './sandbox.ts';

export interface SignupAnswer {
  /** The exact text of the answer. It is not stored: `answerBodyOf` makes it again. */
  readonly body: string;
  /** The verdict in `body`: in shadow mode `allow`. Empty for a replay. */
  readonly verdict: Verdict | '';
  /** Verdict as it would be without shadow mode; `undefined` where it was answered without. */
  readonly shadowVerdict: string | undefined;
  /** Whether an earlier request with the same idempotency key was carried out, not this one. */
  readonly isReplay: boolean;
  readonly limits: LimitReport;
}

/**
 * @throws LimitReached for a caller over a limit; Problem for a request that is not valid, or cannot be taken now; any other
 * error where nothing is known to be stored. After each of them nothing is charged in the end: what is stored too late is
 * undone. Only the rate limit, and the notes about shared addresses, have counted the request.
 */
export type AssessSignup = (request: SignupRequest) => Promise<SignupAnswer>;

export interface AssessSignupOptions extends PrepareSignupOptions {
  readonly rateLimiter: RateLimiter;
  readonly quota: Pick<Quota, 'used' | 'learn'>;
  readonly idempotency: Idempotency;
  readonly gather: Gather;
  /** Counts the address of a live signup for its key; returns whether it is that of everybody. */
  readonly noteAddress: SharedAddresses['note'];
  /** Makes the challenge that a challenged signup is offered to redeem; `undefined`: none. */
  readonly offerChallenge: (
    subject: { readonly requestId: string; readonly accountId: string; readonly mode: KeyMode },
    at: number,
  ) => Assessment['challenge'];
  /** Makes an assessment durable. @throws as `AssessmentStore.record` */
  readonly record: AssessmentStore['record'];
  /** Whether full addresses are stored. */
  readonly storeEmails: boolean;
  /**
   * Called for each stored assessment that an entry of the account's own lists decided, or that came from a shared office;
   * `at` in milliseconds.
   */
  readonly onListed: (match: ListMatch | OfficeMatch, at: number) => void;
  /** Called for each stored live signup that belongs to an open wave, with the verdict that was answered. */
  readonly onMember: (verdict: Verdict) => void;
  /** Called for each live signup that was assessed and stored, with the verdict of the judgement. */
  readonly onAssessed: (verdict: Verdict, reasons: readonly ReasonCode[]) => void;
}

const OPERATION: OperationId = 'assessSignup';

export function createAssessSignup(options: AssessSignupOptions): AssessSignup {
  const { rateLimiter, quota, idempotency, gather, record } = options;

  return async (request) => {
    // 1. Read. A request that is not valid counts for the rate limit, and for nothing else.
    const signup = prepareSignup(request, options);
    if (signup instanceof Problem) {
      await rateLimiter.admit(limitedRequestOf(request.caller, request.moment.at));
      throw signup;
    }
    const { caller, requestId, subject, idempotent, isObserved } = signup;
    const isLive = caller.key.mode === 'live';

    // A repeated request gets the answer of the first one, and costs no credit.
    let rate: RateState | null = null;
    let turn: ClaimedTurn | null = null;
    if (idempotent !== null) {
      rate = await rateLimiter.admit(signup);
      const begun = await idempotency.begin({ caller, requestId, operation: OPERATION, ...idempotent });
      if (begun.outcome === 'answered')
        return toReplay(begun.text, toLimitReport(signup, rate, await quota.used(signup)));
      turn = begun;
    }

    // A signup that is not stored did not happen: until it is, every error undoes the counts and frees the key.
    let reservation: Reservation | null = null;
    let evidence: Evidence;
    let judgement: Judgement;
    let assessed: Assessed;
    let used: number;
    try {
      if (isLive) {
        // 2. Admit: the rate limit, the quota and velocity count it at once.
        ({ rate, reservation } = await rateLimiter.countAttempt(signup, subject, rate));
        // 3. Gather.
        evidence = withSharedAddress(signup, await gather(subject, velocityOf(signup, reservation)), options);
        // 4. Judge.
        judgement = judge(evidence, signup.policy);
      } else {
        // The sandbox has no quota, is in no count and looks nothing up.
        rate ??= await rateLimiter.admit(signup);
        ({ evidence, judgement } = judgeSandbox(signup.attempt));
      }
      // 5. Record. The store decides exactly whether the quota has room.
      assessed = toAssessed(signup, evidence, judgement, turn?.claim ?? null, options);
      const result = await record(assessed.record);
      used = result.used;
      if (isLive) quota.learn(signup, used);
      if (result.outcome === 'quota_exceeded') throw rateLimiter.quotaExceeded(signup, rate, used);
    } catch (error) {
      await undo(reservation, turn);
      throw error;
    }

    // 6. Answer.
    const { body, answeredVerdict } = assessed;
    turn?.complete(body);
    if (answeredVerdict === 'block') void reservation?.markBlocked();
    report(signup, evidence, judgement, answeredVerdict, options);
    return {
      body,
      verdict: answeredVerdict,
      shadowVerdict: isObserved ? judgement.verdict : undefined,
      isReplay: false,
      limits: toLimitReport(signup, rate, isLive ? used : await quota.used(signup)),
    };
  };
}

/** Reports a stored signup to those who count it. */
function report(
  { caller, at }: PreparedSignup,
  evidence: Evidence,
  { verdict, reasons }: Judgement,
  answeredVerdict: Verdict,
  { onListed, onMember, onAssessed }: Pick<AssessSignupOptions, 'onListed' | 'onMember' | 'onAssessed'>,
): void {
  const listed = evidence.list ?? evidence.office;
  if (listed !== null) onListed(listed, at);
  if (evidence.campaign !== null) onMember(answeredVerdict);
  if (caller.key.mode === 'live') onAssessed(verdict, reasons);
}

/** The answer of an earlier request. Its key may have left shadow mode since: the stored text says how it was answered. */
function toReplay(body: string, limits: LimitReport): SignupAnswer {
  return { body, verdict: '', shadowVerdict: shadowVerdictOf(body), isReplay: true, limits };
}

async function undo(reservation: Reservation | null, turn: ClaimedTurn | null): Promise<void> {
  try {
    await reservation?.undo();
  } finally {
    turn?.release();
  }
}

function velocityOf({ isPartial }: PreparedSignup, reservation: Reservation): CountedVelocity {
  if (!isPartial || reservation.counts.partial) return reservation;
  const { counts, voices } = reservation;
  return { counts: { ...counts, partial: true }, voices };
}

function withSharedAddress(
  { caller, attempt, subject }: PreparedSignup,
  evidence: Evidence,
  { noteAddress }: Pick<AssessSignupOptions, 'noteAddress'>,
): Evidence {
  const { ip } = evidence;
  const { network, mailbox, account, at } = subject;
  // A directory or an administrator brings everybody from one place.
  if (ip === null || network === null || attempt.broughtBy !== null) return evidence;
  const isShared = noteAddress({ keyId: caller.key.id, account, at, network, mailbox }, ownerOf(ip));
  return isShared ? { ...evidence, ip: { ...ip, sharedByKey: true } } : evidence;
}

/** The stored record of a signup, and its answer. */
interface Assessed {
  readonly record: AssessmentRecord;
  readonly body: string;
  readonly answeredVerdict: Verdict;
}

function toAssessed(
  signup: PreparedSignup,
  evidence: Evidence,
  judgement: Judgement,
  claim: IdempotencyClaim | null,
  { offerChallenge, storeEmails }: Pick<AssessSignupOptions, 'offerChallenge' | 'storeEmails'>,
): Assessed {
  const { caller, requestId, at, isObserved } = signup;
  const { account, key } = caller;
  const answeredVerdict = answeredVerdictOf(isObserved, judgement);
  const challenge =
    answeredVerdict === 'challenge'
      ? offerChallenge({ requestId, accountId: account.id, mode: key.mode }, at)
      : undefined;
  const facts = toFacts(signup, evidence, judgement, challenge);
  const record = toRecord(signup, evidence, judgement, facts, { claim, storeEmails });
  return { record, body: writeBody(record, facts), answeredVerdict };
}

/** The sandbox does not use the weights of a policy. */
const SANDBOX_POLICY = 'sandbox';

function toFacts(
  { caller, attempt, policy, isObserved }: PreparedSignup,
  evidence: Evidence,
  { findings }: Judgement,
  challenge: Assessment['challenge'],
): Facts {
  const { mode } = caller.key;
  const suggests = !isObserved && evidence.email.providerMeant !== '';
  return {
    policy: mode === 'test' ? SANDBOX_POLICY : policy.version,
    thresholds: policy.thresholds,
    findings,
    evidence,
    ipStatus: attempt.ipStatus,
    local: suggests ? attempt.email.local : '',
    challenge,
  };
}

/** One literal, so that every record has the same shape. */
function toRecord(
  signup: PreparedSignup,
  evidence: Evidence,
  { findings, reasons, verdict, score }: Judgement,
  facts: Facts,
  { claim, storeEmails }: { readonly claim: IdempotencyClaim | null; readonly storeEmails: boolean },
): AssessmentRecord {
  const { caller, attempt, subject } = signup;
  const { account, key, limits } = caller;
  return {
    requestId: signup.requestId,
    accountId: account.id,
    keyId: key.id,
    mode: key.mode,
    shadow: signup.isObserved,
    cap: limits.cap,
    claim,
    at: signup.at,
    verdict,
    score,
    reasons,
    emailDomain: attempt.email.domain,
    addressHash: subject.addressHash,
    mailboxHash: subject.mailbox,
    emailMasked: signup.emailMasked,
    email: storeEmails ? attempt.email.address : null,
    ip: attempt.ip === null ? null : attempt.ip.text,
    network: subject.network,
    countryCode: evidence.ip === null ? '' : evidence.ip.countryCode,
    asn: evidence.ip === null ? 0 : evidence.ip.asn,
    sessionId: attempt.sessionId,
    processedMs: Math.round(performance.now() - signup.started),
    weights: weightsOf(findings, reasons),
    facts: writeFacts(facts, reasons),
  };
}
