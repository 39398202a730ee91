import { expect, it } from 'vitest';
import { isLoopbackUrl, isPublicUrl } from './reachable.ts';

it.each([
  'http://127.0.0.1/',
  'http://localhost/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://10.0.0.1/',
  'http://169.254.169.254/latest/',
  'http://[::1]/',
  'http://[::ffff:10.0.0.1]/',
  'http://[fd00::1]/',
  'ftp://192.0.2.1/',
  'file:///etc/hosts',
])('keeps redirects away from %s', async (url) => {
  expect(await isPublicUrl(new URL(url))).toBe(false);
});

it.each(['http://8.8.8.8/', 'https://[2606:4700::1111]/domain/x'])(
  'lets redirects lead to %s',
  async (url) => {
    expect(await isPublicUrl(new URL(url))).toBe(true);
  },
);

it('knows a URL on this machine', () => {
  expect(
    ['http://127.0.0.1:1/', 'http://[::1]/', 'http://localhost/x'].map((url) => isLoopbackUrl(new URL(url))),
  ).toEqual([true, true, true]);
  expect(isLoopbackUrl(new URL('https://data.iana.org/rdap/dns.json'))).toBe(false);
});
