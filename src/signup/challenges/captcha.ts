/** Asks a CAPTCHA provider about a visitor's response, and reads its verdict: a fault that is not the visitor's fails no challenge. */
import type { Captcha } from '../../contract/messages.ts';
import { readText, type WebClient } from '../../outbound/web-client.ts';

export interface CaptchaProvider {
  readonly url: string;
  /** Never logged, and sent in the body only. */
  readonly secret: string;
  /** Min. score for reCAPTCHA v3: a lower one fails, 0 … 1. */
  readonly minScore?: number;
}

export interface CaptchaResponse {
  /** The response of the widget in the visitor's browser. */
  readonly response: string;
  /** Address of the visitor. */
  readonly ip: string | null;
}

/**
 * `unusable`: the visitor must solve it again, because the response is too old or was used before.
 * `unknown`: the provider gave no verdict, because it is down or our secret is wrong.
 */
export type CaptchaVerdict = 'passed' | 'failed' | 'unusable' | 'unknown';

export interface AskCaptchaOptions {
  readonly web: Pick<WebClient, 'request'>;
  readonly providers: Readonly<Partial<Record<Captcha, CaptchaProvider>>>;
  /** Max. time that a provider may take. Default: less than clients wait. */
  readonly deadlineMs?: number;
  /** Called for each `unknown`. */
  readonly onUnknown: (captcha: Captcha, error: Error) => void;
}

export interface AskCaptcha {
  /** Never rejects. */
  (captcha: Captcha, response: CaptchaResponse): Promise<CaptchaVerdict>;
  /** Whether there is a secret for it. */
  knows(captcha: Captcha): boolean;
}

/** Deadline, less than the 3 seconds that clients wait. */
const DEADLINE_MS = 2_000;
const LIMIT_BYTES = 65_536;
/** Statuses from here on are the provider's failure; below, its answer has the reason. */
const SERVER_FAILURE = 500;
/** Errors of our settings or of the provider, in the words of all three. */
const NOT_THE_VISITOR = new Set([
  'missing-input-secret',
  'invalid-input-secret',
  'sitekey-secret-mismatch',
  'not-using-dummy-passcode',
  'internal-error',
]);
const FALSE_RESPONSE = new Set(['invalid-input-response', 'missing-input-response']);

export function createAskCaptcha(options: AskCaptchaOptions): AskCaptcha {
  const { web, providers, deadlineMs = DEADLINE_MS, onUnknown } = options;

  async function ask({ url, secret, minScore }: CaptchaProvider, { response, ip }: CaptchaResponse) {
    const fields = { secret, response, ...(ip === null ? {} : { remoteip: ip }) };
    const answer = await web.request(new URL(url), {
      reach: 'anywhere',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      form: new URLSearchParams(fields).toString(),
      signal: AbortSignal.timeout(deadlineMs),
    });
    if (answer.status >= SERVER_FAILURE) {
      answer.discard();
      throw new Error(`status ${answer.status}`);
    }
    return readVerdict(await readText(answer.body, LIMIT_BYTES), minScore);
  }

  const check = async (captcha: Captcha, response: CaptchaResponse): Promise<CaptchaVerdict> => {
    try {
      const provider = providers[captcha];
      if (provider === undefined) throw new Error('it has no secret');
      return await ask(provider, response);
    } catch (error) {
      onUnknown(captcha, error as Error);
      return 'unknown';
    }
  };
  return Object.assign(check, { knows: (captcha: Captcha) => providers[captcha] !== undefined });
}

/** @throws when it is no verdict about the visitor */
function readVerdict(text: string, minScore = 0): CaptchaVerdict {
  const answer = JSON.parse(text) as Record<string, unknown> | null;
  if (typeof answer?.success !== 'boolean') throw new Error('the answer has no `success`');
  const { score, 'error-codes': codes } = answer;
  if (answer.success) return typeof score === 'number' && score < minScore ? 'failed' : 'passed';
  const errors = Array.isArray(codes) ? codes.map(String) : [];
  const ours = errors.filter((code) => NOT_THE_VISITOR.has(code));
  if (ours.length > 0) throw new Error(ours.join(', '));
  return errors.some((code) => FALSE_RESPONSE.has(code)) ? 'failed' : 'unusable';
}
