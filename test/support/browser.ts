/** A browser as the dashboard's API sees it: keeps cookies, sends its origin and the header of our pages. */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import { resolve } from 'node:path';
import type { Session } from '../../src/contract/dashboard-account.ts';
import { type Answer, createClient } from './client.ts';
import type { Installation, Service } from './service.ts';

export interface Browser {
  readonly cookies: Map<string, string>;
  send<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers?: OutgoingHttpHeaders,
  ): Promise<Answer<T>>;
  signIn(email: string, password: string): Promise<Answer<{ twoFactorRedirect?: boolean }>>;
  session(): Promise<Answer<Session>>;
  close(): void;
}

export const PASSWORD = 'a long enough password';

export function openBrowser(url: string): Browser {
  const client = createClient(url);
  const cookies = new Map<string, string>();
  const browser: Browser = {
    cookies,
    async send<T>(method: string, path: string, body?: unknown, headers: OutgoingHttpHeaders = {}) {
      const answer = await client.send<T>({
        method,
        path,
        body,
        headers: {
          ...(cookies.size === 0 ? {} : { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') }),
          ...(method === 'GET' ? {} : { origin: url, 'x-gatehouse': 'dashboard' }),
          ...headers,
        },
      });
      for (const cookie of answer.headers['set-cookie'] ?? []) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) as unknown as [string, string, string];
        if (value === '' || /max-age=0\b/i.test(cookie)) cookies.delete(name);
        else cookies.set(name, value);
      }
      return answer;
    },
    signIn: (email, password) => browser.send('POST', '/dashboard/auth/sign-in/email', { email, password }),
    session: () => browser.send('GET', '/dashboard/api/session'),
    close: () => client.close(),
  };
  return browser;
}

/** The link for the first operator that a service wrote to its data folder. */
export function setupLink({ dataDir }: Service): string {
  const link = /http\S+\/setup#[\w-]{43}/.exec(readFileSync(resolve(dataDir, 'setup-link.txt'), 'utf8'))?.[0];
  if (link === undefined) throw new Error(`no link in ${dataDir}/setup-link.txt`);
  return link;
}

/** The secret of that link. */
export function setupSecret(service: Service): string {
  return secretOf(setupLink(service));
}

/** The fragment of a link. */
export function secretOf(link: string): string {
  return new URL(link).hash.slice(1);
}

/** Creates the first operator with that link, signed in. */
export async function claimOperator(service: Service, email = 'operator@example.com'): Promise<Browser> {
  const browser = openBrowser(service.url);
  const body = { secret: setupSecret(service), name: 'Olga Operator', email, password: PASSWORD };
  const { status, text } = await browser.send('POST', '/dashboard/api/claim', body);
  if (status !== 200) throw new Error(`the claim was answered ${status}: ${text}`);
  return browser;
}

/** Invites a new person and accepts the invitation for them: a signed-in browser. */
export async function join(
  inviter: Browser,
  service: Service,
  of: { email: string; account: string; role: 'owner' | 'analyst' | 'member' },
): Promise<Browser> {
  const { json } = await inviter.send<{ link: string }>('POST', '/dashboard/api/operator/invitations', {
    email: of.email,
    account_id: of.account,
    role: of.role,
  });
  const browser = openBrowser(service.url);
  const body = { secret: secretOf(json.link), name: of.email, password: PASSWORD };
  const { status, text } = await browser.send('POST', '/dashboard/api/invitations', body);
  if (status !== 200) throw new Error(`the invitation was answered ${status}: ${text}`);
  return browser;
}

/** Runs `gatehouse user link …` and returns the secret of the printed link. */
export async function printedSecret(installation: Installation, ...args: string[]): Promise<string> {
  const { link } = await installation.json<{ link: string }>('user', 'link', ...args);
  return secretOf(link);
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The code that an authenticator shows for an `otpauth:` address (RFC 6238: SHA-1, 30 s, six digits). */
export function authenticatorCode(address: string, now: number): string {
  const bits = [...(new URL(address).searchParams.get('secret') as string)]
    .map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(now / 30_000)));
  const mac = createHmac('sha1', key).update(counter).digest();
  const at = (mac.at(-1) as number) & 0xf;
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
