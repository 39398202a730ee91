/** Decides whether a request is a valid signup, and makes all that is known of it without a look-up: once, carried to the end. */
import { parseEmail } from '../address/email.ts';
import { type AddressHashes, maskEmail } from '../address/fingerprint.ts';
import { isHumanName } from '../address/human-name.ts';
import { networkOf, readIp } from '../address/ip.ts';
import { mailboxOf } from '../address/mailbox.ts';
import { nameFactsOf } from '../address/name-facts-of.ts';
import { trimInvisible } from '../address/visible-text.ts';
import type { AssessmentRequest } from '../contract/messages.ts';
import { Problem } from '../contract/problem.ts';
import type { Subject } from '../evidence/gather.ts';
import { isEnforced } from '../model/enforced-share.ts';
import type { Policy } from '../model/policy.ts';
import type { SignupAttempt } from '../model/signup-attempt.ts';
import { monthOf } from '../platform/month.ts';
import { effectiveWeights } from './account-policy.ts';
import { checkIdempotencyKey } from './idempotency.ts';
import type { LimitedRequest } from './rate-limit.ts';
import type { SignupCaller } from './signup-caller.ts';

/** A request to assess a signup, from the public API, a hook or the dashboard. */
export interface SignupRequest {
  readonly caller: SignupCaller;
  /** A Problem where the body is not valid: the request still counts for the rate limit. */
  readonly message: AssessmentRequest | Problem;
  /** The header; `undefined` where the request may be carried out as often as it comes. */
  readonly idempotencyKey: string | undefined;
  readonly moment: Moment;
}

export interface Moment {
  /** Id of the request, and of the assessment that it makes. */
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** `performance.now()` when the request came in. */
  readonly started: number;
}

export interface PreparedSignup extends LimitedRequest, Moment {
  readonly attempt: SignupAttempt;
  /** The keys that it is counted under, and what sources look up. */
  readonly subject: Subject;
  /** Address for display: `j***@example.com`. */
  readonly emailMasked: string;
  /** The weights and thresholds that judge it. */
  readonly policy: Policy;
  /** Whether its answer is `allow`, whatever the verdict is: in shadow mode, unless the key enforces for this person. */
  readonly isObserved: boolean;
  /** Whether counts of its mailbox may be too low: the key of the hashes was replaced less than a day ago. */
  readonly isPartial: boolean;
  /** Its idempotency key, with the members of the body that have an effect; `null` without one. */
  readonly idempotent: { readonly key: string; readonly members: readonly unknown[] } | null;
}

export interface PrepareSignupOptions {
  /** Hashes addresses and mailboxes. */
  readonly hashes: AddressHashes;
  /** Time until which counts of mailboxes and addresses may be too low, milliseconds since the epoch: their key was replaced. */
  readonly partialUntil: () => number;
}

/** Returns the Problem of a request that is not valid. */
export function prepareSignup(
  { caller, message, idempotencyKey, moment }: SignupRequest,
  { hashes, partialUntil }: PrepareSignupOptions,
): PreparedSignup | Problem {
  if (message instanceof Problem) return message;
  const invalidKey = checkIdempotencyKey(idempotencyKey);
  if (invalidKey !== undefined) return invalidKey;
  const attempt = readAttempt(message);
  if (attempt instanceof Problem) return attempt;
  const { requestId, at, started } = moment;
  const isPartial = at < partialUntil();
  const event = { id: requestId, account: caller.account.id, at };
  const { version, weights } = effectiveWeights(caller.policy);
  const subject = toSubject(attempt, event, hashes, isPartial ? hashes.older : undefined);
  return {
    caller,
    requestId,
    at,
    started,
    month: monthOf(at),
    attempt,
    subject,
    isObserved: !isEnforced(caller.key, subject.mailbox),
    emailMasked: maskEmail(attempt.email),
    policy: { version, weights, thresholds: caller.thresholds },
    isPartial,
    idempotent:
      idempotencyKey === undefined ? null : { key: idempotencyKey, members: membersOf(message, attempt) },
  };
}

/** @throws any error that is no Problem: a fault of ours */
function readAttempt(message: AssessmentRequest): SignupAttempt | Problem {
  try {
    return readSignupAttempt(message);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

/**
 * Members that an assessment is made from, all of them. Bodies that differ in other members, in form, or in the spelling
 * of the address, ask for the same.
 */
function membersOf(message: AssessmentRequest, { email }: SignupAttempt): readonly unknown[] {
  const { ip, session_id: sessionId, brought_by: broughtBy } = message;
  return [email.address, ip ?? null, sessionId ?? null, ...(broughtBy ? [broughtBy] : [])];
}

/** @throws Problem `missing_field`, `invalid_email` or `invalid_ip`, with the parameter at fault */
export function readSignupAttempt(request: AssessmentRequest): SignupAttempt {
  if (trimInvisible(request.email) === '') throw new Problem('missing_field', 'email');
  const email = parseEmail(request.email);
  if (email === undefined) throw new Problem('invalid_email', 'email');
  const reading = readIp(request.ip);
  if (reading.status === 'invalid') throw new Problem('invalid_ip', 'ip');
  return {
    email,
    ipStatus: reading.status,
    ip: reading.status === 'ok' ? reading.address : null,
    sessionId: request.session_id ?? null,
    broughtBy: request.brought_by ?? null,
  };
}

/** @param olderHashes set as long as attempts are counted that were hashed with keys from before a rotation */
export function toSubject(
  { email, ip, broughtBy }: SignupAttempt,
  event: Pick<Subject, 'id' | 'account' | 'at'>,
  hashes: AddressHashes,
  olderHashes?: (text: string) => readonly string[],
): Subject {
  const { id, account, at } = event;
  const mailbox = mailboxOf(email);
  const addressHash = hashes(email.address);
  const name = nameFactsOf(email.local, hashes.hashStem);
  return {
    id,
    account,
    at,
    network: ip === null ? null : networkOf(ip),
    domain: email.domain,
    addressHash,
    mailbox: mailbox === email.address ? addressHash : hashes(mailbox),
    broughtBy: broughtBy ?? undefined,
    named: isHumanName(name),
    olderMailboxes: olderHashes?.(mailbox),
    email,
    ip,
    name,
    spelling: mailbox === email.address ? 'canonical' : spellingOf(email.local, mailbox),
  };
}

/** Few people write more into the name of their mailbox. */
const MAX_DIVIDERS = 2;
const DIVIDERS = /[._-]/g;

function spellingOf(local: string, mailbox: string): Subject['spelling'] {
  const canonical = mailbox.slice(0, mailbox.lastIndexOf('@'));
  if (local === canonical) return 'canonical';
  const own = local.replace(DIVIDERS, '');
  const isOwners = own === canonical.replace(DIVIDERS, '') && local.length - own.length <= MAX_DIVIDERS;
  return isOwners ? 'untagged' : 'tagged';
}
