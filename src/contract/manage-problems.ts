/** The errors of the management API: codes of the other tables, with texts for who calls with a token. */
import { type AnyProblemCode, Problem, type ProblemText } from './problem.ts';

export const MANAGE_PROBLEM_CODES = [
  'missing_field',
  'invalid_value',
  'bad_request',
  'unauthorized',
  'token_revoked',
  'forbidden',
  'not_found',
  'conflict',
  'payload_too_large',
  'too_many_attempts',
  'internal_error',
  'storage_full',
  'unavailable',
] as const satisfies readonly AnyProblemCode[];

export type ManageProblemCode = (typeof MANAGE_PROBLEM_CODES)[number];

const TEXTS: Partial<Record<ManageProblemCode, ProblemText>> = {
  unauthorized: {
    message: 'The token is missing, not valid or has expired.',
    resolution: 'Send the header `Authorization: Bearer <TOKEN>` with a token of `gatehouse token create`.',
  },
  token_revoked: {
    message: 'The token was revoked.',
    resolution: 'Create a new token and replace this one.',
  },
  forbidden: {
    message: 'The token lacks the scope, or is bound to one account.',
    resolution: 'Create a token with the scope that the operation needs.',
  },
  not_found: {
    message: 'Nothing with this id exists, or the token may not see it.',
    resolution: 'List the existing ones, and use an id from that list.',
  },
  conflict: {
    message: 'The name is in use, or what the request names is revoked.',
    resolution: 'Use the existing one, or choose another name.',
  },
  internal_error: {
    message: 'The service failed to answer. What you changed may have been saved.',
    resolution: 'Read the current state before you repeat the change.',
  },
};

/** Problem with the texts of the management API, unless others are given. */
export function manageProblem(code: ManageProblemCode, param?: string, text: ProblemText = {}): Problem {
  return new Problem(code, param, { ...TEXTS[code], ...text });
}
