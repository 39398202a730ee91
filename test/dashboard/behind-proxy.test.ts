/** The service behind one and two proxies, for each form of GATEHOUSE_TRUST_PROXY: the client address it sees, and that it detects TLS. */
import { afterEach, describe, expect, it } from 'vitest';
import { type HttpProxyOptions, startHttpProxy } from '../../bench/attack-parts/http-proxy.mjs';
import type { OpenSessions } from '../../src/contract/dashboard-people.ts';
import { type Browser, claimOperator, openBrowser, PASSWORD } from '../support/browser.ts';
import { createInstallation, type Installation, type Service } from '../support/service.ts';

const EMAIL = 'operator@example.com';
const VISITOR = '203.0.113.5';
const NEIGHBOUR = '198.51.100.7';
/** More failures than the throttle admits from one network. */
const GUESSES = 12;

let installation: Installation;
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await installation?.remove();
});

async function proxied(options: HttpProxyOptions) {
  const proxy = await startHttpProxy(options);
  closing.push(proxy.close);
  return proxy;
}

/** A browser behind this many proxies; `guess` gets the address that it claims. */
async function browserAt(visitor: string, service: Service, hops: number, replaces: boolean) {
  const inner = hops === 2 ? await proxied({ port: service.port, endsTls: false }) : service;
  const { url } = await proxied({ port: inner.port, visitor, replaces });
  const browser = openBrowser(url);
  return {
    browser,
    guess: (says: string) =>
      browser.send(
        'POST',
        '/dashboard/auth/sign-in/email',
        { email: EMAIL, password: 'not the password' },
        { 'x-forwarded-for': says },
      ),
  };
}

async function networksOf(browser: Browser): Promise<string[]> {
  const { json } = await browser.send<OpenSessions>('GET', '/dashboard/api/sessions');
  return json.sessions.filter(({ current }) => current).map(({ network }) => network);
}

describe.each<[trusted: string, hops: number, replaces: boolean]>([
  ['1', 1, false],
  ['2', 2, false],
  ['127.0.0.0/8', 1, false],
  ['on', 1, true],
])('GATEHOUSE_TRUST_PROXY=%s, behind %i', (trusted, hops, replaces) => {
  it('counts each visitor by their own address, whatever they claim, and detects TLS', async () => {
    installation = await createInstallation({ GATEHOUSE_TRUST_PROXY: trusted });
    const service = await installation.start();
    await claimOperator(service);
    const visitor = await browserAt(VISITOR, service, hops, replaces);
    const guesses = [];
    for (let at = 0; at < GUESSES; at += 1) guesses.push((await visitor.guess(`192.0.2.${at}`)).status);
    expect(guesses.at(0)).toBe(401);
    expect(guesses.at(-1)).toBe(429);

    const { browser } = await browserAt(NEIGHBOUR, service, hops, replaces);
    const signedIn = await browser.signIn(EMAIL, PASSWORD);
    expect(signedIn.status).toBe(200);
    expect(signedIn.headers['strict-transport-security']).toBe('max-age=31536000');
    expect([...browser.cookies.keys()].filter((name) => !name.startsWith('__Host-gatehouse.'))).toEqual([]);
    expect(await networksOf(browser)).toEqual([NEIGHBOUR]);
  });
});
