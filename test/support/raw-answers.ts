/** Checks an answer to hostile input only against the contract: a documented error in its envelope, or a valid message. */
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Assessment, ErrorEnvelope, FeedbackResponse, Usage } from '../../src/contract/messages.ts';
import { DASHBOARD_PROBLEMS, PROBLEMS, type ProblemCode } from '../../src/contract/problem.ts';
import type { RawAnswer } from './raw-exchange.ts';

const envelope = Compile(ErrorEnvelope as TSchema);
const messages = [Assessment, Usage, FeedbackResponse].map((schema) => Compile(schema as TSchema));

const INSIDES = /node:internal|node_modules|\bat [\w.<>]+ \(|\.[jt]s:\d+|<html|<!doctype|SQLITE/i;

/** Summarises an answer in one line: `200`, or status, code and parameter of an error. */
export function summarize({ status, body }: RawAnswer): string {
  if (status === 200) return '200';
  const { error } = (parse(body) ?? {}) as { error?: { code?: string; param?: string } };
  return [status, error?.code, error?.param].filter((part) => part !== undefined).join(' ');
}

/** Fault of an answer, whatever the request was; `undefined` if nothing is. */
export function complaintAbout({ status, headers, body }: RawAnswer, head = false): string | undefined {
  if (status >= 500) return `answers ${status}: ${body}`;
  if (INSIDES.test(body)) return `shows its insides: ${body}`;
  if (!headers.get('content-type')?.startsWith('application/json')) {
    return `${status} without a JSON content type: ${JSON.stringify(body)}`;
  }
  if (head) return undefined;
  const message = parse(body);
  if (status === 200) {
    const { domain } =
      (message as { signals?: { email?: { domain: string } } } | undefined)?.signals?.email ?? {};
    if (domain !== undefined && !/^[a-z0-9.-]+$/.test(domain))
      return `a domain that is no host name: ${body}`;
    return messages.some((schema) => schema.Check(message))
      ? undefined
      : `200 with no valid message: ${body}`;
  }
  if (!envelope.Check(message)) return `${status} without a valid envelope: ${JSON.stringify(body)}`;
  const { error } = message as { error: { code: ProblemCode; param?: string } };
  if (PROBLEMS[error.code].status !== status) return `${status} with the code ${error.code}`;
  // A text that is no JSON has no member to blame.
  const isJson = !body.includes('The body is not JSON.');
  const named = isJson && ['missing_field', 'invalid_email', 'invalid_ip'].includes(error.code);
  return named && !error.param ? `${error.code} without a param: ${body}` : undefined;
}

/** The same for the dashboard's API: an error in its envelope, and otherwise JSON, a file of rows or nothing. */
export function complaintAboutCall({ status, headers, body }: RawAnswer): string | undefined {
  if (status >= 500) return `answers ${status}: ${body}`;
  if (INSIDES.test(body)) return `shows its insides: ${body}`;
  if (status === 204) return body === '' ? undefined : `204 with a body: ${body}`;
  const type = headers.get('content-type') ?? '';
  if (status === 200 && type.startsWith('text/csv')) return undefined;
  if (!type.startsWith('application/json')) return `${status} without a JSON content type: ${body}`;
  const message = parse(body);
  if (status === 200) return message === undefined ? `200 without JSON: ${body}` : undefined;
  const { code, ...texts } = (message as { error?: Record<string, unknown> } | undefined)?.error ?? {};
  const known = { ...PROBLEMS, ...DASHBOARD_PROBLEMS }[code as ProblemCode];
  if (known?.status !== status) return `${status} without its envelope: ${body}`;
  const isWhole = ['message', 'resolution'].every((name) => typeof texts[name] === 'string');
  return isWhole ? undefined : `an envelope that lacks texts: ${body}`;
}

/** The id of the assessment in an answer, if there is one. */
export function assessmentId({ status, body }: RawAnswer): string | undefined {
  if (status !== 200) return undefined;
  return (parse(body) as { request_id?: string } | undefined)?.request_id;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
