/** The siteverify endpoints of Turnstile, hCaptcha and reCAPTCHA on loopback, in their real formats; the visitor's response decides the result. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CAPTCHAS, type Captcha } from '../../src/contract/messages.ts';
import type { Environment } from './service.ts';

export const CAPTCHA_SECRET = '0x4AAAAAAA-a-secret-of-the-test';

export interface TestCaptchaServer {
  url(captcha: Captcha): string;
  /** The fields of all requests, in order. */
  readonly requests: Record<string, string>[];
  /** Sent instead of an answer: a status, or a body with status 200; `hang`: nothing at all. */
  misbehaviour: number | string | 'hang' | undefined;
  close(): Promise<void>;
}

/** The settings of a service that offers challenges and asks this server about all CAPTCHAs. */
export function captchaSettings({ url }: TestCaptchaServer): Environment {
  const settings = CAPTCHAS.flatMap((captcha) => [
    [`GATEHOUSE_${captcha.toUpperCase()}_SECRET`, CAPTCHA_SECRET],
    [`GATEHOUSE_${captcha.toUpperCase()}_URL`, url(captcha)],
  ]);
  return { GATEHOUSE_CHALLENGE_MINUTES: '30', ...Object.fromEntries(settings) };
}

/** `passed`, or an error code of the provider, or `score:0.3`. Each response counts once. */
export async function startCaptchaServer(): Promise<TestCaptchaServer> {
  const http = createServer();
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const { port } = http.address() as AddressInfo;
  const seen = new Set<string>();
  const server: TestCaptchaServer = {
    url: (captcha) => `http://127.0.0.1:${port}/${captcha}/siteverify`,
    requests: [],
    misbehaviour: undefined,
    async close() {
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
  http.on('request', async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded';
    const fields = Object.fromEntries(new URLSearchParams(isForm && request.method === 'POST' ? body : ''));
    server.requests.push(fields);
    const { misbehaviour } = server;
    if (misbehaviour === 'hang') return;
    const captcha = request.url?.split('/')[1] as Captcha;
    response.writeHead(typeof misbehaviour === 'number' ? misbehaviour : 200, {
      'content-type': 'application/json',
    });
    response.end(
      typeof misbehaviour === 'string' ? misbehaviour : JSON.stringify(verify(captcha, fields, seen)),
    );
  });
  return server;
}

function verify(captcha: Captcha, { secret, response = '' }: Record<string, string>, seen: Set<string>) {
  if (secret !== CAPTCHA_SECRET) return refusal(captcha, 'invalid-input-secret');
  if (seen.has(response))
    return refusal(captcha, captcha === 'hcaptcha' ? 'already-seen-response' : 'timeout-or-duplicate');
  const [kind = '', score] = response.split(' ')[0]?.split(':') ?? [];
  if (kind !== 'passed' && kind !== 'score') return refusal(captcha, kind);
  seen.add(response);
  const passed = { success: true, challenge_ts: '2026-05-10T10:14:33Z', hostname: 'example.com' };
  if (captcha === 'turnstile') return { ...passed, 'error-codes': [], action: 'signup', cdata: '' };
  if (captcha === 'hcaptcha') return { ...passed, credit: true };
  return score === undefined ? passed : { ...passed, score: Number(score), action: 'signup' };
}

function refusal(captcha: Captcha, code: string) {
  const base = { success: false, 'error-codes': [code] };
  return captcha === 'turnstile' ? { ...base, messages: [] } : base;
}
