/** Sends many raw requests at once and reports what the service did wrong: answers, charges and log. */
import { assessmentId, complaintAbout, summarize } from './raw-answers.ts';
import { exchange, type RawExchange, type RawRequest } from './raw-exchange.ts';
import type { Allowed } from './raw-oracle.ts';
import type { Framed } from './raw-requests.ts';
import type { Service } from './service.ts';

export interface Case extends RawRequest {
  readonly name: string;
  /** Answers that may come first; absent if any valid answer is fine. */
  readonly allowed?: Allowed;
  /** True if a 200 contains an assessment made with a live key. */
  readonly charged: boolean;
  /** True when no answer may be a 200. */
  readonly hopeless?: boolean;
}

export interface Target {
  /** In this process: an uncaught error fails the run. */
  readonly service: Service;
  /** The live key whose account is charged; no one else uses it meanwhile. */
  readonly live: string;
  /** An earlier assessment: GET returns it, without a new charge. */
  readonly knownId: string;
}

const CONCURRENCY = 64;
/** Every fourth request without a clear end waits until the service says so. */
const WAITING_EACH = 4;
/** After this time, work that follows an answer has logged its errors. */
const LOG_LAG_MS = 100;

/** The complaints, sorted by length of the request, shortest first. Empty if nothing is wrong. */
export async function barrage(target: Target, cases: readonly Case[]): Promise<string[]> {
  const { service, live, knownId } = target;
  const logged = service.output().length;
  const before = await creditsUsed(service, live);
  const faults: { name: string; length: number; text: string }[] = [];
  const ids = new Set<string>();
  const queue = cases.entries();
  const work = async () => {
    for (const [at, request] of queue) {
      const endsAtOnce = request.answers === 0 && at % WAITING_EACH !== 0;
      const result = await exchange(service.port, { ...request, endsAtOnce });
      for (const text of complaints(request, result)) {
        faults.push({
          name: `request ${at}, ${JSON.stringify(request.name).slice(0, 160)}`,
          length: request.bytes.length,
          text,
        });
      }
      for (const answer of request.charged ? result.answers : []) {
        const id = assessmentId(answer);
        if (id !== undefined && id !== knownId) ids.add(id);
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  await new Promise((resolve) => setTimeout(resolve, LOG_LAG_MS));
  const charged = (await creditsUsed(service, live)) - before;
  const whole =
    charged === ids.size ? [] : [`charged ${charged} credits for ${ids.size} assessments answered`];
  const lines = faults
    .sort((a, b) => a.length - b.length)
    .map(({ name, text }) => `${name}: ${text.slice(0, 300)}`);
  return [...whole, ...errorsLogged(service.output().slice(logged)), ...lines];
}

/** A request that is wrong as HTTP, sent with a live key. */
export function framed({ hopeless, ...rest }: Framed): Case {
  return { ...rest, hopeless, charged: true };
}

export async function creditsUsed({ url }: Service, live: string): Promise<number> {
  const response = await fetch(`${url}/v1/usage`, { headers: { Authorization: `Bearer ${live}` } });
  return ((await response.json()) as { assessments_used: number }).assessments_used;
}

function complaints(request: Case, { answers, rest, silent }: RawExchange): string[] {
  const found = answers
    .map((answer) => complaintAbout(answer, request.head))
    .filter((text) => text !== undefined);
  const [first] = answers.map(summarize);
  if (silent) found.push('no answer, and the connection stays open');
  if (rest !== '' && request.head !== true) found.push(`bytes that are no answer: ${rest}`);
  if (request.allowed !== undefined && (first === undefined || !request.allowed.includes(first))) {
    found.push(`answers ${first}, not ${request.allowed.join(' or ')}`);
  }
  if (request.hopeless === true && answers.some(({ status }) => status === 200)) found.push('answers 200');
  if (answers.some(({ body }) => body.includes('smuggled-in'))) found.push('takes a body for a request');
  return found;
}

function errorsLogged(output: string): string[] {
  const lines = output.split('\n').filter((line) => /"level":"(?:error|fatal)"|^\s+at /.test(line));
  return lines.length === 0
    ? []
    : [`${lines.length} errors in the log, the first: ${lines[0]?.slice(0, 500)}`];
}
