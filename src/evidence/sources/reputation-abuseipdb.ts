/** Decides what AbuseIPDB is asked about an address, and what its answer says. */
import { parseIp } from '../../address/ip.ts';
import type { IpAddress } from '../../model/signup-attempt.ts';
import type { HttpGet } from './http-get.ts';
import type { LookupAnswer } from './lookup.ts';
import { SourceBusy } from './remote-source.ts';
import {
  createUpstream,
  type Upstream,
  type UpstreamAnswer,
  type UpstreamOptions,
} from './reputation-upstream.ts';

export interface AbuseIpDbOptions
  extends Pick<UpstreamOptions<unknown>, 'clock' | 'deadlineMs' | 'onOutcome' | 'onCanary'> {
  /** The check endpoint of API version 2. */
  readonly url: string;
  readonly key: string;
  /** Must follow no redirect: the key is for this server only. */
  readonly http: HttpGet;
}

const HOUR_MS = 3_600_000;
const TTL_MS = 6 * HOUR_MS;
const REPORTS_OF_DAYS = '30';
/** Public resolvers: many people use them, and nobody signs up from one. */
const CONTROLS = ['8.8.8.8', '1.1.1.1', '9.9.9.9'].map((text) => parseIp(text) as IpAddress);
/** Each question is one of the day's allowance: asked once a day, before the first accusation of the day counts. */
const CONTROL_INTERVALS = { everyMs: null, freshMs: 24 * HOUR_MS, burstMs: HOUR_MS, retryMs: HOUR_MS };

export function createAbuseIpDb({ url, key, http, ...shared }: AbuseIpDbOptions): Upstream<IpAddress> {
  async function ask({ text: entry }: IpAddress): Promise<LookupAnswer<UpstreamAnswer>> {
    const question = new URL(url);
    question.searchParams.set('ipAddress', entry);
    question.searchParams.set('maxAgeInDays', REPORTS_OF_DAYS);
    const { status, text, retryAfter } = await http.get(question.href, 'application/json', { key });
    if (status === 429) throw new SourceBusy(readPause(retryAfter));
    if (status !== 200) throw new Error(`status ${status}`);
    const weight = readScore(text);
    return { value: weight === 0 ? 'clear' : { weight, entry }, ttlMs: TTL_MS };
  }
  return createUpstream({
    id: 'abuseipdb',
    keyOf: ({ text }) => text,
    ask,
    controls: CONTROLS,
    controlIntervals: CONTROL_INTERVALS,
    ...shared,
  });
}

/** The day's allowance is used up when it says so: a minute at least, a day at most. */
function readPause(retryAfter: string | null): number {
  const seconds = Number(retryAfter ?? '') || 3_600;
  return Math.min(Math.max(seconds, 60), 86_400) * 1_000;
}

/** Throws for a document without a score of 0 … 100. */
function readScore(text: string): number {
  const { data } = JSON.parse(text) as { data?: { abuseConfidenceScore?: unknown } };
  const score = data?.abuseConfidenceScore;
  if (typeof score !== 'number' || !(score >= 0 && score <= 100)) throw new Error('no score');
  return score;
}
