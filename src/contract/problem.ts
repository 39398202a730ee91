/** Every error the service can answer with, once: its status, its message and what to do about it. */
export const PROBLEMS = {
  missing_field: {
    status: 400,
    message: 'A required field is missing, empty or unusable.',
    resolution: 'Send the field named in `param` with a value of the documented type.',
  },
  invalid_email: {
    status: 400,
    message: 'The email address is not valid.',
    resolution: 'Send one address of the form local@domain.tld, at most 254 octets.',
  },
  invalid_ip: {
    status: 400,
    message: 'The IP address is malformed.',
    resolution: 'Send an IPv4 or IPv6 address in its usual text form, or leave the field out.',
  },
  challenge_invalid: {
    status: 400,
    message: 'The challenge token does not belong to this account.',
    resolution:
      'Send `challenge.token` unchanged, with a key of the same account: live for a live signup, sandbox for a sandbox signup.',
  },
  challenge_expired: {
    status: 400,
    message: 'The challenge has expired.',
    resolution: 'Assess the signup again, and redeem the new token before its `expires_at`.',
  },
  challenge_code_wrong: {
    status: 400,
    message: 'The code is wrong.',
    resolution: 'Enter the six digits from the email. After five attempts, only the link in the email works.',
  },
  challenge_mails_used: {
    status: 400,
    message: 'This challenge gets no more mails.',
    resolution: 'Send no mail. Ask for the code of the newest one of this challenge, whose link works, too.',
  },
  challenge_mailbox_full: {
    status: 400,
    message: 'This mailbox has had as many mails of challenges as it may have, and none for this challenge.',
    resolution: 'Send no mail, and ask for no code. Ask the visitor to try again later.',
  },
  challenge_proof_wrong: {
    status: 400,
    message: 'The proof of work is not solved.',
    resolution: 'Redeem with `proof` for a challenge of this signup, and let the visitor solve it.',
  },
  challenge_redeemed: {
    status: 409,
    message: 'The challenge was redeemed before.',
    resolution:
      'Do not create another account. The first result stays; send the token alone to read it. To retry after a lost answer, send the `Idempotency-Key` of the first request again.',
  },
  bad_request: {
    status: 400,
    message: 'The request is not well-formed HTTP.',
    resolution: 'Check the request line, the headers and the body length.',
  },
  unauthorized: {
    status: 401,
    message: 'The API key is missing or not valid.',
    resolution: 'Send the header `Authorization: Bearer <API_KEY>` with a key of this installation.',
  },
  token_revoked: {
    status: 401,
    message: 'The API key was revoked.',
    resolution: 'Create a new key and replace this one.',
  },
  key_expired: {
    status: 401,
    message: 'The API key has expired.',
    resolution: 'Let an owner of the account set a later expiry, or create a new key.',
  },
  ip_not_allowed: {
    status: 403,
    message: 'The API key may not be used from this address.',
    resolution:
      'Call from an address in the allowed ranges of the key, or let an owner change them. Behind a proxy, `GATEHOUSE_TRUST_PROXY` decides which address is the caller’s.',
  },
  not_found: {
    status: 404,
    message: 'There is nothing at this path.',
    resolution: 'See /docs for the operations of this service.',
  },
  method_not_allowed: {
    status: 405,
    message: 'This path does not support this method.',
    resolution: 'Use a method named in the Allow header.',
  },
  request_timeout: {
    status: 408,
    message: 'The request took too long to arrive.',
    resolution: 'Send headers and body at once, within 10 seconds.',
  },
  payload_too_large: {
    status: 413,
    message: 'The body is larger than 64 KiB.',
    resolution: 'Send only the documented fields.',
  },
  rate_limit: {
    status: 429,
    message: 'Too many requests: the burst limit of the plan is used up.',
    resolution: 'Wait as many seconds as Retry-After says, or choose a larger plan.',
  },
  quota_exceeded: {
    status: 429,
    message: 'The monthly assessment quota is used up.',
    resolution: 'Wait for the next UTC month, allow overage, or choose a larger plan.',
  },
  headers_too_large: {
    status: 431,
    message: 'The request headers are larger than 16 KiB.',
    resolution: 'Send fewer or shorter headers.',
  },
  internal_error: {
    status: 500,
    message: 'The service failed to answer. Nothing was charged.',
    resolution: 'Retry after a short delay.',
  },
  storage_full: {
    status: 503,
    message: 'The disk of this service is full: nothing new can be stored. Nothing was charged.',
    resolution: 'Free space on the disk of the data folder or database. Reading still works.',
  },
  unavailable: {
    status: 503,
    message: 'The service cannot take this request now. Nothing was charged.',
    resolution: 'Retry after a short delay.',
  },
} as const;

/** Errors of the dashboard's and the management API: their callers are people and tokens, not keys. */
export const DASHBOARD_PROBLEMS = {
  invalid_value: {
    status: 400,
    message: 'A value cannot be used.',
    resolution: 'Change the field named in `param`.',
  },
  signed_out: {
    status: 401,
    message: 'You are not signed in.',
    resolution: 'Sign in, then try again.',
  },
  sign_in_failed: {
    status: 401,
    message: 'Email and password do not match.',
    resolution: 'Check both, then try again.',
  },
  passwords_off: {
    status: 403,
    message: 'Passwords are switched off here.',
    resolution:
      'Sign in at the OpenID provider. If nobody can, the operator sets GATEHOUSE_PASSWORDS=on and restarts the service.',
  },
  forbidden: {
    status: 403,
    message: 'Your role does not allow this.',
    resolution: 'Ask an owner of the account or the operator.',
  },
  foreign_request: {
    status: 403,
    message: 'The request did not come from a page of this dashboard.',
    resolution:
      'Open the dashboard at its own address. Behind a proxy, pass the Host header on or set GATEHOUSE_PUBLIC_URL.',
  },
  conflict: {
    status: 409,
    message: 'This conflicts with the current state.',
    resolution: 'Reload, then decide again.',
  },
  changed_meanwhile: {
    status: 409,
    message: 'Somebody else changed this meanwhile.',
    resolution: 'Read the current state, then decide again.',
  },
  too_many_attempts: {
    status: 429,
    message: 'There were too many failed attempts.',
    resolution: 'Wait as many seconds as Retry-After says, then try again.',
  },
} as const;

/** Seconds after which failures that pass are tried again, unless the case says otherwise. */
const RETRY_S = 1;
const PASSING: readonly string[] = ['internal_error', 'storage_full', 'unavailable'];

/** The codes of the public API. */
export type ProblemCode = keyof typeof PROBLEMS;
/** Codes of the public API and of the dashboard. */
export type AnyProblemCode = ProblemCode | keyof typeof DASHBOARD_PROBLEMS;

const ALL_PROBLEMS = { ...PROBLEMS, ...DASHBOARD_PROBLEMS };

/** Texts for one case; they replace the table's general texts. */
export interface ProblemText {
  readonly message?: string;
  readonly resolution?: string;
  /** Whole seconds after which the same request may succeed: the header `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** Progress of the work that the answer waits for. */
  readonly progress?: ProblemProgress;
  /** Changes by others since the caller read the state. */
  readonly meanwhile?: readonly MeanwhileChange[];
  /** The error behind it, for the log alone. */
  readonly cause?: unknown;
}

export interface ProblemProgress {
  readonly indexed: number;
  readonly total: number;
}

/** A change by somebody else, that the caller did not know of. */
export interface MeanwhileChange {
  /** Name of the actor, as in the audit log. */
  readonly by: string;
  /** RFC 3339. */
  readonly at: string;
  /** Words that follow the name: `set challenge 33, block 58`. */
  readonly what: string;
}

/**
 * A failure with a public code. Thrown anywhere below HTTP, answered in the error envelope.
 * Carries nothing that may not be shown to the caller, except its cause, which is not sent.
 */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: AnyProblemCode;
  readonly param: string | undefined;
  readonly resolution: string;
  readonly retryAfterSeconds: number | undefined;
  readonly progress: ProblemProgress | undefined;
  readonly meanwhile: readonly MeanwhileChange[] | undefined;

  constructor(code: AnyProblemCode, param?: string, text: ProblemText = {}) {
    super(text.message ?? ALL_PROBLEMS[code].message, text.cause === undefined ? {} : { cause: text.cause });
    this.code = code;
    this.param = param;
    this.resolution = text.resolution ?? ALL_PROBLEMS[code].resolution;
    this.retryAfterSeconds = text.retryAfterSeconds ?? (PASSING.includes(code) ? RETRY_S : undefined);
    this.progress = text.progress;
    this.meanwhile = text.meanwhile;
  }

  get status(): number {
    return ALL_PROBLEMS[this.code].status;
  }
}

/** The error envelope of a problem, as it goes over the wire. */
export function toEnvelope(problem: Problem) {
  return {
    error: {
      code: problem.code,
      message: problem.message,
      ...(problem.param === undefined ? {} : { param: problem.param }),
      resolution: problem.resolution,
      ...(problem.progress === undefined ? {} : { progress: problem.progress }),
      ...(problem.meanwhile === undefined ? {} : { meanwhile: problem.meanwhile }),
    },
  };
}
