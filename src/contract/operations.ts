/** The operations: method, path, messages, headers and errors, as HTTP serves them and OpenAPI documents them. */
import type { TSchema } from 'typebox';
import {
  AppealRequest,
  AppealResponse,
  Assessment,
  AssessmentRequest,
  ChallengeRequest,
  ChallengeResponse,
  FeedbackRequest,
  FeedbackResponse,
  OutcomeRequest,
  OutcomeResponse,
  Usage,
} from './messages.ts';
import type { ProblemCode } from './problem.ts';

/** The groups that operations are listed under, with what each is for. */
export const TAGS = {
  Assessments: 'Assess a signup, and fetch a stored assessment.',
  Challenges: 'Report whether a challenged visitor passed.',
  Feedback: 'Report a wrong verdict.',
  Outcomes: 'Say what became of a signup: Gatehouse learns from it.',
  Appeals: 'Let people who were stopped say that this was wrong.',
  Usage: 'See the rest of the monthly quota.',
  Management:
    'Manage accounts, keys, own lists, hooks and destinations of events from scripts. With a token of `gatehouse token create` instead of an API key.',
  Webhooks: 'Requests that Gatehouse makes: what happens, signed as Standard Webhooks says.',
} as const;

export interface Operation {
  readonly id: string;
  readonly tag: keyof typeof TAGS;
  readonly method: 'GET' | 'POST';
  /** Path in OpenAPI's notation. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly request?: TSchema;
  readonly response: TSchema;
  readonly problems: readonly ProblemCode[];
  /** True when a 200 carries the rate-limit and quota headers. */
  readonly metered: boolean;
  /** True when it takes the header `Idempotency-Key`. */
  readonly idempotent: boolean;
}

const COMMON = [
  'unauthorized',
  'token_revoked',
  'key_expired',
  'ip_not_allowed',
  'internal_error',
  'unavailable',
] as const;
/** Errors of operations that store something. */
const STORING = [...COMMON, 'storage_full'] as const;

export const OPERATIONS = {
  assessSignup: {
    id: 'assessSignup',
    tag: 'Assessments',
    method: 'POST',
    path: '/v1/assess',
    summary: 'Assess a signup',
    description:
      'Evaluates one signup attempt and stores the assessment. A live key is charged one credit, exactly when the assessment is stored; a sandbox key answers with a fixture chosen by the address and charges nothing. Set a client-side timeout of 3000 ms.',
    request: AssessmentRequest,
    response: Assessment,
    problems: [
      'missing_field',
      'invalid_email',
      'invalid_ip',
      'payload_too_large',
      'rate_limit',
      'quota_exceeded',
      ...STORING,
    ],
    metered: true,
    idempotent: true,
  },
  getAssessment: {
    id: 'getAssessment',
    tag: 'Assessments',
    method: 'GET',
    path: '/v1/assess/{request_id}',
    summary: 'Fetch an assessment',
    description: 'Returns the original answer of the assessment, byte for byte. Costs nothing.',
    response: Assessment,
    problems: ['missing_field', ...COMMON],
    metered: true,
    idempotent: false,
  },
  redeemChallenge: {
    id: 'redeemChallenge',
    tag: 'Challenges',
    method: 'POST',
    path: '/v1/challenges',
    summary: 'Redeem a challenge',
    description:
      'Stores once whether the visitor passed, and adds this as feedback to the assessment. One redemption is told the result, and a caller who repeats it with the same `Idempotency-Key`; every other redemption is refused.',
    request: ChallengeRequest,
    response: ChallengeResponse,
    problems: [
      'missing_field',
      'challenge_invalid',
      'challenge_expired',
      'challenge_code_wrong',
      'challenge_mails_used',
      'challenge_mailbox_full',
      'challenge_proof_wrong',
      'challenge_redeemed',
      'invalid_ip',
      'bad_request',
      'payload_too_large',
      ...STORING,
    ],
    metered: false,
    idempotent: false,
  },
  submitFeedback: {
    id: 'submitFeedback',
    tag: 'Feedback',
    method: 'POST',
    path: '/v1/feedback',
    summary: 'Report a wrong verdict',
    description:
      'Stores one record per assessment; a second call for the same assessment replaces the first.',
    request: FeedbackRequest,
    response: FeedbackResponse,
    problems: ['missing_field', 'payload_too_large', ...STORING],
    metered: false,
    idempotent: true,
  },
  reportOutcome: {
    id: 'reportOutcome',
    tag: 'Outcomes',
    method: 'POST',
    path: '/v1/outcomes',
    summary: 'Report what became of a signup',
    description:
      'Notes that the person of a signup verified the address, never did, paid or was banned, or that a mail to the address bounced or was reported as spam. By request id, or by address; up to 100 at once. Costs nothing, and never blocks anybody by itself.',
    request: OutcomeRequest,
    response: OutcomeResponse,
    problems: ['missing_field', 'invalid_email', 'payload_too_large', ...STORING],
    metered: false,
    idempotent: true,
  },
  createAppealLink: {
    id: 'createAppealLink',
    tag: 'Appeals',
    method: 'POST',
    path: '/v1/appeals',
    summary: 'Make a link for an appeal',
    description:
      'Makes a link that you may show to somebody who was stopped: at a page of Gatehouse, she writes what happened, and your team reads it. Nothing is stored until she writes. Costs nothing.',
    request: AppealRequest,
    response: AppealResponse,
    problems: ['missing_field', 'payload_too_large', ...COMMON],
    metered: false,
    idempotent: false,
  },
  getUsage: {
    id: 'getUsage',
    tag: 'Usage',
    method: 'GET',
    path: '/v1/usage',
    summary: 'Read quota usage',
    description: 'Returns the usage of the account that the key belongs to, for the current UTC month.',
    response: Usage,
    problems: COMMON,
    metered: true,
    idempotent: false,
  },
} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof OPERATIONS;

/** The header that makes a request safe to repeat. */
export const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  description:
    'Makes the request safe to repeat for 24 hours: the same key with the same body gets the first answer again, costs no credit and does not count for velocity; with another body it is refused. Keys belong to the account; live and sandbox requests, and each operation, have keys of their own.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
} as const;

/** The idempotency header where it names who redeems a challenge. */
export const REDEEMER_KEY = {
  ...IDEMPOTENCY_KEY,
  description:
    'Makes the redemption safe to repeat: with the same key it is told the result again. Send one key for each account that you would create, such as the id of the unfinished signup.',
} as const;

/** The header of an answer that was given before. */
export const REPLAYED = 'Idempotent-Replayed';
export const REPLAY_HEADER = {
  [REPLAYED]: '`true` on the answer of an earlier request with the same `Idempotency-Key`.',
} as const;

/** The header of a repeated answer, for the result of a challenge. */
export const REDEEMED_HEADER = {
  [REPLAYED]:
    '`true` where the result is only read, or was told before to the same `Idempotency-Key`: exactly one redemption of a challenge gets a result without it.',
} as const;

/** The header of an answer in shadow mode. */
export const SHADOW_HEADER = 'X-Gatehouse-Shadow';

/** The headers of an answer that is an assessment. */
export const ASSESSMENT_HEADERS = {
  [SHADOW_HEADER]:
    'Present only where the key is in shadow mode, and does not enforce for this person: what the verdict would be. The verdict in the body is `allow` then.',
} as const;

/** The headers of a metered answer: what each number means. */
export const METER_HEADERS = {
  'X-RateLimit-Limit': 'Requests per second of the plan.',
  'X-RateLimit-Remaining':
    'Requests the 5-second window still admits, capped at what one second may take (3 × limit).',
  'X-RateLimit-Reset': 'Unix second at which a refused caller may try again; never in the past.',
  'X-Quota-Used': 'Live assessments of this UTC month.',
  'X-Quota-Limit': 'Monthly assessments of the account.',
} as const;
