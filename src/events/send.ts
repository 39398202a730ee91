/** Makes one try to deliver a message by HTTP: within a time limit, without following redirects, and only to where it may lead. */
import { STATUS_CODES } from 'node:http';
import type { DisabledReason } from '../model/event.ts';
import { ProxyError } from '../outbound/proxy-tunnel.ts';
import { ForbiddenTarget, type Reach, type WebClient } from '../outbound/web-client.ts';
import { readRetryAfter } from './back-off.ts';

export interface HttpMessage {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Outcome of a try. */
export type SendResult =
  | { readonly outcome: 'delivered'; readonly status: number | null }
  /** The receiver wants no more. */
  | {
      readonly outcome: 'gone';
      readonly reason: Exclude<DisabledReason, 'person'>;
      readonly status: number | null;
      readonly problem: string;
    }
  /** The receiver will never take this message. */
  | { readonly outcome: 'refused'; readonly status: number; readonly problem: string }
  | {
      readonly outcome: 'failed';
      readonly status: number | null;
      readonly problem: string;
      /** Pause that the receiver asked for; 0: none. */
      readonly retryAfterMs: number;
      /** Whether other messages would fail as well: nothing answered, or it asked for a pause. */
      readonly isAway: boolean;
    };

export interface SendOptions {
  readonly client: WebClient;
  readonly reach: Reach;
  /** Max. time of a try. */
  readonly limitMs: number;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Ends a try before its time. */
  readonly signal: AbortSignal;
}

const GONE = 410;
const TOO_MANY = 429;
const UNAVAILABLE = 503;
const MAX_PROBLEM_LENGTH = 200;

export async function sendByHttp(message: HttpMessage, options: SendOptions): Promise<SendResult> {
  const { client, reach, limitMs, clock, signal } = options;
  const limit = AbortSignal.timeout(limitMs);
  try {
    const response = await client.request(new URL(message.url), {
      reach,
      headers: message.headers,
      form: message.body,
      signal: AbortSignal.any([limit, signal]),
    });
    // Nothing of the body is read: the status says all.
    response.discard();
    return judge(response.status, response.headers['retry-after'], clock());
  } catch (error) {
    const problem = limit.aborted ? `no answer within ${limitMs / 1_000} seconds` : problemOf(error as Error);
    return { outcome: 'failed', status: null, problem, retryAfterMs: 0, isAway: true };
  }
}

function judge(status: number, retryAfter: string | undefined, now: number): SendResult {
  if (status >= 200 && status < 300) return { outcome: 'delivered', status };
  const name = STATUS_CODES[status] ?? 'an unknown status';
  if (status === GONE)
    return {
      outcome: 'gone',
      reason: 'gone',
      status,
      problem: 'it answered 410 Gone: this destination was disabled',
    };
  const isRedirect = status >= 300 && status < 400;
  const problem = `it answered ${status} ${name}${isRedirect ? ', and redirects are not followed' : ''}`;
  const retryAfterMs = readRetryAfter(retryAfter, now);
  const isAway = status === TOO_MANY || status === UNAVAILABLE;
  return { outcome: 'failed', status, problem, retryAfterMs, isAway };
}

/** Error as an account may know it: without an address or a proxy of the inner network. */
function problemOf(error: Error): string {
  if (error instanceof ForbiddenTarget) return 'its host is not a public address';
  if (error instanceof ProxyError) return 'the proxy of this installation did not connect to it';
  return lineOf(error);
}

/** An error as one short line. */
export function lineOf({ message }: Error): string {
  return message.replaceAll(/\s+/g, ' ').slice(0, MAX_PROBLEM_LENGTH);
}
