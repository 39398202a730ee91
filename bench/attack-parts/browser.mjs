// A browser as the dashboard's API sees it, and the operator of an attacked service.
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask } from './sockets.mjs';

export const EMAIL = 'operator@example.com';
export const PASSWORD = 'a long enough password';

/** Sends as our own pages do, and keeps cookies. `from`: the address that it claims. `at`: its real loopback address. */
export function openBrowser(target, { from, at } = {}) {
  const cookies = new Map();
  async function send(method, path, body) {
    const answer = await ask(target, path, {
      method,
      body,
      localAddress: at,
      headers: {
        host: `127.0.0.1:${target.port}`,
        ...(cookies.size === 0 ? {} : { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') }),
        ...(method === 'GET'
          ? {}
          : { origin: `http://127.0.0.1:${target.port}`, 'x-gatehouse': 'dashboard' }),
        ...(from === undefined ? {} : { 'x-forwarded-for': from }),
      },
    });
    for (const cookie of answer.headers['set-cookie'] ?? []) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie);
      if (value === '' || /max-age=0\b/i.test(cookie)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  }
  return {
    cookies,
    send,
    signIn: (password = PASSWORD) =>
      send('POST', '/dashboard/auth/sign-in/email', { email: EMAIL, password }),
    forgetSession: () => {
      for (const name of cookies.keys()) if (!name.includes('device')) cookies.delete(name);
    },
  };
}

/** Creates the first operator. Returns a signed-in browser. */
export async function claimOperator(target, where) {
  const link = readFileSync(join(target.dataDir, 'setup-link.txt'), 'utf8');
  const secret = /#([\w-]{43})/.exec(link)?.[1];
  const browser = openBrowser(target, where);
  const body = { secret, name: 'Olga Operator', email: EMAIL, password: PASSWORD };
  const { status, text } = await browser.send('POST', '/dashboard/api/claim', body);
  if (status !== 200) throw new Error(`the claim was answered ${status}: ${text}`);
  return browser;
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The code that an authenticator shows for an `otpauth:` address. */
export function authenticatorCode(address, now) {
  const bits = [...new URL(address).searchParams.get('secret')]
    .map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(now / 30_000)));
  const mac = createHmac('sha1', key).update(counter).digest();
  return String((mac.readUInt32BE(mac.at(-1) & 0xf) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** Counts answers by status: `401 × 100, 429 × 1`. */
export function statusesOf(answers) {
  const counts = new Map();
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${status} × ${count}`)
    .join(', ');
}
