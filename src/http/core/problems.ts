/** Turns every error of a request into a Problem, and a Problem into an answer. */
import type { Logger } from 'pino';
import { Problem, toEnvelope } from '../../contract/problem.ts';

/** The Problem of any error; an unknown error is `internal_error`. */
export function toProblem(error: unknown): Problem {
  return error instanceof Problem ? error : new Problem('internal_error');
}

/** Returns the error if it is a Problem; rethrows any other error, which is a bug. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  throw error;
}

/** The message that `read` resolves to, or the Problem that it rejects with. */
export async function readOrProblem<Message>(read: () => Promise<Message>): Promise<Message | Problem> {
  try {
    return await read();
  } catch (error) {
    return asProblem(error);
  }
}

function withCause<About extends object>(about: About, { cause }: Problem): About {
  return cause === undefined ? about : { ...about, err: cause };
}

export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Members of log lines. */
export interface RequestTrace {
  readonly caller_request_id?: string;
  readonly trace_id?: string;
  readonly traceparent?: string | undefined;
}

/** Makes the answer, in the envelope, and logs: an `internal_error` with its cause, a refusal only with its code. */
export type ToErrorResponse = (
  error: unknown,
  requestId: string,
  mayBeSaved?: boolean,
  trace?: RequestTrace,
) => ErrorAnswer;

/** Advice for a person whose change failed: unlike a signup, a change that was stored before the error is not undone. */
const MAY_BE_SAVED = {
  message: 'The service failed to answer. What you changed may have been saved.',
  resolution: 'Read the current state before you repeat the change.',
};

/** Codes of answers that ask for another key. */
const ABOUT_KEYS: readonly string[] = ['unauthorized', 'token_revoked', 'key_expired'];

export function createToErrorResponse(log: Logger): ToErrorResponse {
  return (error, requestId, mayBeSaved = false, trace = {}) => {
    const fault = toProblem(error);
    const isUnknown = fault.code === 'internal_error' && mayBeSaved;
    const problem = isUnknown ? new Problem('internal_error', undefined, MAY_BE_SAVED) : fault;
    const about = { request_id: requestId, code: problem.code, ...trace };
    if (problem.code === 'internal_error') log.error({ ...about, err: error }, 'request failed');
    else if (!(error instanceof NobodyWaits)) log.info(withCause(about, problem), 'request refused');
    const headers: Record<string, string> = {};
    if (ABOUT_KEYS.includes(problem.code)) headers['WWW-Authenticate'] = 'Bearer';
    if (problem.retryAfterSeconds !== undefined) headers['Retry-After'] = String(problem.retryAfterSeconds);
    // The rest of such a body is not read.
    if (problem.code === 'payload_too_large') headers.Connection = 'close';
    return { status: problem.status, headers, body: JSON.stringify(toEnvelope(problem)) };
  };
}

/** Stops the work of a request whose client has disconnected: not a fault of the service. */
export class NobodyWaits extends Problem {
  constructor() {
    super('unavailable', undefined, { message: 'Nobody waits for this answer any more.' });
  }
}
