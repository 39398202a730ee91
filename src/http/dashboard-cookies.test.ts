/** Names of cookies: which count over http, which over https, and what a secure one is set with. */
import { expect, it } from 'vitest';
import { addCookies, readCookies } from './dashboard-cookies.ts';

const SENT = 'a=b; gatehouse.session_token=plain;__Host-gatehouse.session_token=secure; gatehouse.device_x=1';

it('reads the names of the way that a request came, and no others', () => {
  expect(readCookies(SENT, true)).toBe('gatehouse.session_token=secure');
  expect(readCookies(SENT, false)).toBe('gatehouse.session_token=plain; gatehouse.device_x=1');
  expect(readCookies('gatehouse.session_token=planted', true)).toBeUndefined();
  expect(readCookies('__Host-gatehouse.session_token=x', false)).toBeUndefined();
  expect(readCookies(undefined, true)).toBeUndefined();
});

it('sets a cookie for https with what its name demands', () => {
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
