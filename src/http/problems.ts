/** Turns everything that can go wrong with a request into a Problem, and a Problem into an answer. */
import type { FastifyError } from 'fastify';
import type { Logger } from 'pino';
import { Problem, type ProblemCode, toEnvelope } from '../contract/problem.ts';
import { NobodyWaits } from './dashboard-gone-signal.ts';

const BY_FASTIFY_CODE: Record<string, ProblemCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'bad_request',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_ASYNC_CONSTRAINT: 'not_found',
};

/** The Problem behind whatever was thrown; an unknown fault is `internal_error`. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const { code, statusCode = 500 } = error as Partial<FastifyError>;
  // A body that broke off, or another fault of the sender that has no code of its own.
  const otherwise = statusCode >= 400 && statusCode < 500 ? 'bad_request' : 'internal_error';
  return new Problem(BY_FASTIFY_CODE[code ?? ''] ?? otherwise);
}

export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Makes the answer, in the envelope, and logs: an `internal_error` with its cause, a refusal only with its code. */
export type ToErrorResponse = (error: unknown, requestId: string, mayBeSaved?: boolean) => ErrorAnswer;

/** To a person whose change failed: only signups are undone that were stored after their caller heard an error. */
const MAY_BE_SAVED = {
  message: 'The service failed to answer. What you changed may have been saved.',
  resolution: 'Reload the page and look before you try again.',
};

export function createToErrorResponse(log: Logger): ToErrorResponse {
  return (error, requestId, mayBeSaved = false) => {
    const fault = toProblem(error);
    const isUnknown = fault.code === 'internal_error' && mayBeSaved;
    const problem = isUnknown ? new Problem('internal_error', undefined, MAY_BE_SAVED) : fault;
    const about = { request_id: requestId, code: problem.code };
    if (problem.code === 'internal_error') log.error({ ...about, err: error }, 'request failed');
    else if (!(error instanceof NobodyWaits)) log.info(about, 'request refused');
    const headers: Record<string, string> = {};
    if (problem.code === 'unauthorized' || problem.code === 'token_revoked')
      headers['WWW-Authenticate'] = 'Bearer';
    if (problem.retryAfterSeconds !== undefined) headers['Retry-After'] = String(problem.retryAfterSeconds);
    // The rest of such a body is not read.
    if (problem.code === 'payload_too_large') headers.Connection = 'close';
    return { status: problem.status, headers, body: JSON.stringify(toEnvelope(problem)) };
  };
}
