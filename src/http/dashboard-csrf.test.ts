import { describe, expect, it } from 'vitest';
import type { RequestContext } from './core/request-context.ts';
import { addCookies, createCsrfOrigins, readCookies } from './dashboard-csrf.ts';

/** The origin of a page that was requested with this scheme and host. */
function originOf(protocol: string, host: string, publicUrl: string | null = null): string {
  return createCsrfOrigins(publicUrl).originOf({ protocol, host } as RequestContext);
}

describe('the address of the dashboard in links', () => {
  it.each([
    ['http', 'localhost:8080'],
    ['https', 'gatehouse.example.com'],
    ['https', '203.0.113.7:8443'],
    ['http', '[2001:db8::1]:8080'],
    ['http', 'gate_house'],
  ])('is the one that the client used: %s://%s', (protocol, host) => {
    expect(originOf(protocol, host)).toBe(`${protocol}://${host}`);
  });

  it.each([
    ['javascript', 'gatehouse.example.com'],
    ['https, http', 'gatehouse.example.com'],
    ['https', ''],
    ['https', 'evil.example/?'],
    ['https', 'gatehouse.example.com@evil.example'],
    ['https', 'gatehouse.example.com#'],
    ['https', 'gatehouse.example.com:port'],
    ['https', 'two words'],
  ])('is never made from text that is not an address: %s://%s', (protocol, host) => {
    expect(() => originOf(protocol, host)).toThrow(expect.objectContaining({ code: 'bad_request' }));
  });

  it('is the public URL if it is set, whatever the client used', () => {
    expect(originOf('ftp', 'evil.example/?', 'https://gatehouse.example.com/')).toBe(
      'https://gatehouse.example.com',
    );
  });
});

const SENT = 'a=b; gatehouse.session_token=plain;__Host-gatehouse.session_token=secure; gatehouse.device_x=1';

it('reads only the cookie names that belong to the protocol of the request', () => {
  expect(readCookies(SENT, true)).toBe('gatehouse.session_token=secure');
  expect(readCookies(SENT, false)).toBe('gatehouse.session_token=plain; gatehouse.device_x=1');
  expect(readCookies('gatehouse.session_token=planted', true)).toBeUndefined();
  expect(readCookies('__Host-gatehouse.session_token=x', false)).toBeUndefined();
  expect(readCookies(undefined, true)).toBeUndefined();
});

it('sets the attributes for https that the cookie name requires', () => {
  const set = (secure: boolean) => {
    const headers: unknown[] = [];
    const context = { header: (_name: string, value: unknown) => headers.push(value) };
    const cookie = 'gatehouse.session_token=x; Max-Age=9; Path=/dashboard; HttpOnly; SameSite=Lax';
    addCookies(context, [cookie, 'gatehouse.device=1'], secure);
    return headers;
  };
  expect(set(true)).toEqual([
    '__Host-gatehouse.session_token=x; Max-Age=9; Path=/; HttpOnly; SameSite=Lax; Secure',
    '__Host-gatehouse.device=1; Secure',
  ]);
  expect(set(false)).toEqual([
    'gatehouse.session_token=x; Max-Age=9; Path=/dashboard; HttpOnly; SameSite=Lax',
    'gatehouse.device=1',
  ]);
});
