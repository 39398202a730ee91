/** Turns everything that can go wrong with a request into a Problem, and a Problem into the error envelope. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { Problem, type ProblemCode, toEnvelope } from '../contract/problem.ts';

const BY_FASTIFY_CODE: Record<string, ProblemCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'bad_request',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_ASYNC_CONSTRAINT: 'not_found',
};

/** A wrong type is `missing_field`, except where the contract has a code of its own. */
const BY_WRONG_TYPE: Record<string, ProblemCode> = { email: 'invalid_email', ip: 'invalid_ip' };

const SPECIAL_TEXT: Record<string, { message: string; resolution: string }> = {
  outcome: {
    message: '`outcome` is missing or not one of the allowed values.',
    resolution: 'Send `false_positive` or `false_negative`.',
  },
};

/** The Problem behind whatever was thrown; an unknown fault is `internal_error`. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const { code, statusCode = 500, validation } = error as Partial<FastifyError>;
  if (validation?.[0] !== undefined) return fromValidation(validation[0] as ValidationError);
  // A body that broke off, or another fault of the sender that has no code of its own.
  const otherwise = statusCode >= 400 && statusCode < 500 ? 'bad_request' : 'internal_error';
  return new Problem(BY_FASTIFY_CODE[code ?? ''] ?? otherwise);
}

interface ValidationError {
  readonly instancePath: string;
  readonly params: Record<string, unknown>;
  /** The value at fault. */
  readonly data?: unknown;
}

/** Blames the first member that does not fit the schema, or the first required one when nothing is usable. */
function fromValidation({ instancePath, params, data }: ValidationError): Problem {
  const missing = params.missingProperty as string | undefined;
  const param = missing ?? instancePath.split('/')[1];
  if (param === undefined || param === '') return new Problem('missing_field');
  const absent = missing !== undefined || data === null;
  return new Problem(
    absent ? 'missing_field' : (BY_WRONG_TYPE[param] ?? 'missing_field'),
    param,
    SPECIAL_TEXT[param],
  );
}

/** Answers in the envelope. An `internal_error` is logged with its cause, a refusal only with its code. */
export function createProblemAnswer(log: Logger) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const problem = toProblem(error);
    request.server.answered(request, problem.status);
    const about = { request_id: request.id, code: problem.code };
    if (problem.code === 'internal_error') log.error({ ...about, err: error }, 'request failed');
    else log.info(about, 'request refused');
    if (problem.status === 401) reply.header('WWW-Authenticate', 'Bearer');
    reply
      .code(problem.status)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(toEnvelope(problem)));
  };
}
