/** Drives a service with every operation at once and keeps a ledger of what it acknowledged. */
import type { Service } from './service.ts';

export interface SentFeedback {
  readonly outcome: string;
  readonly note: string;
}

/** Answers that callers received, over all restarts of the service. */
export interface Ledger {
  /** The exact text of each acknowledged assessment, by id. */
  readonly live: Map<string, string>;
  readonly sandbox: Map<string, string>;
  /** Feedback: the last acknowledged value, and later values without an answer. */
  readonly feedback: Map<string, { acknowledged?: SentFeedback; unanswered?: SentFeedback }>;
  /** Answers other than 200. */
  readonly refusals: string[];
}

export interface Caller {
  readonly service: Service;
  readonly keys: { readonly live: string; readonly test: string };
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

/** Whole numbers below a bound, the same for the same seed. */
export type Random = (below: number) => number;

export const IPS = Array.from({ length: 8 }, (_, at) => `198.51.100.${at + 1}`);
export const DOMAINS = ['one.example.com', 'two.example.net', 'three.example.org'];

const WORKERS = 16;

export function createLedger(): Ledger {
  return { live: new Map(), sandbox: new Map(), feedback: new Map(), refusals: [] };
}

/** mulberry32 */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let word = Math.imul(state ^ (state >>> 15), state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return ((word ^ (word >>> 14)) >>> 0) % below;
  };
}

export async function call({ url }: Service, key: string, path: string, body?: object): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

/** Runs until the service is gone or `stop` is called; resolves when every worker has ended. */
export function startLoad(caller: Caller, ledger: Ledger, random: Random): { stop(): Promise<void> } {
  let running = true;
  const work = async () => {
    const own: string[] = [];
    while (running) {
      try {
        await step(caller, ledger, random, own);
      } catch {
        return; // The service is gone.
      }
    }
  };
  const workers = Array.from({ length: WORKERS }, work);
  return {
    async stop() {
      running = false;
      await Promise.all(workers);
    },
  };
}

async function step(caller: Caller, ledger: Ledger, random: Random, own: string[]): Promise<void> {
  const { service, keys } = caller;
  const kind = random(100);
  const id = own[random(Math.max(1, own.length))];
  if (kind < 55 || id === undefined) own.push(...(await assess(caller, ledger, random, 'live')));
  else if (kind < 70) await assess(caller, ledger, random, 'test');
  else if (kind < 80) expectText(ledger, await call(service, keys.live, `/v1/assess/${id}`), id);
  else if (kind < 93) await giveFeedback(caller, ledger, random, id);
  else note(ledger, await call(service, keys.live, '/v1/usage'));
}

async function assess({ service, keys }: Caller, ledger: Ledger, random: Random, mode: 'live' | 'test') {
  const ip = random(10) === 0 ? null : IPS[random(IPS.length)];
  const email = `user${random(1_000_000)}@${DOMAINS[random(DOMAINS.length)]}`;
  const session = random(2) === 0 ? null : `session ${random(1_000_000)} \u0000 é`;
  const answer = await call(service, keys[mode], '/v1/assess', { email, ip, session_id: session });
  if (!note(ledger, answer)) return [];
  const id = (JSON.parse(answer.text) as { request_id: string }).request_id;
  (mode === 'live' ? ledger.live : ledger.sandbox).set(id, answer.text);
  return [id];
}

async function giveFeedback({ service, keys }: Caller, ledger: Ledger, random: Random, id: string) {
  const outcome = random(2) === 0 ? 'false_positive' : 'false_negative';
  const feedback = { outcome, note: `note ${random(1_000_000)}` };
  const before = ledger.feedback.get(id)?.acknowledged;
  ledger.feedback.set(id, { ...(before && { acknowledged: before }), unanswered: feedback });
  const answer = await call(service, keys.live, '/v1/feedback', { request_id: id, ...feedback });
  if (note(ledger, answer)) ledger.feedback.set(id, { acknowledged: feedback });
}

function note(ledger: Ledger, { status, text }: Answer): boolean {
  if (status !== 200) ledger.refusals.push(`${status} ${text}`);
  return status === 200;
}

function expectText(ledger: Ledger, answer: Answer, id: string): void {
  if (note(ledger, answer) && answer.text !== ledger.live.get(id)) ledger.refusals.push(`${id} changed`);
}
