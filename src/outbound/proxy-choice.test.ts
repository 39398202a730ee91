import { expect, it } from 'vitest';
import { createProxyChoice, nameOf } from './proxy-choice.ts';

const PROXY = 'http://user:secret@proxy.example:3128/';
const isProxied = (url: string, ...noProxy: string[]) =>
  createProxyChoice({ httpProxy: PROXY, httpsProxy: PROXY, noProxy })(new URL(url)) !== undefined;

it('goes through the proxy of its scheme', () => {
  const choose = createProxyChoice({ httpProxy: null, httpsProxy: PROXY, noProxy: [] });
  expect(choose(new URL('http://example.com/'))).toBeUndefined();
  expect(choose(new URL('https://example.com/'))?.host).toBe('proxy.example:3128');
  expect(createProxyChoice(undefined)(new URL('https://example.com/'))).toBeUndefined();
});

it('is shown without its password', () => {
  expect(nameOf(new URL(PROXY))).toBe('http://proxy.example:3128');
});

it.each([
  ['http://example.com/', ['*']],
  ['https://example.com/', ['example.com']],
  ['https://EXAMPLE.com./', ['example.com']],
  ['https://a.b.example.com/', ['example.com']],
  ['https://a.example.com/', ['.example.com']],
  ['https://example.com/', ['.example.com']],
  ['https://a.example.com/', ['*.example.com']],
  ['https://example.com/', ['example.com:443']],
  ['http://example.com/', ['example.com:80']],
  ['http://example.com:8080/', ['other.example', 'example.com:8080']],
  ['http://10.1.2.3/', ['10.0.0.0/8']],
  ['http://10.1.2.3/', ['10.1.2.3']],
  ['http://10.1.2.3:81/', ['10.1.2.3:81']],
  ['http://10.1.2.3/', ['0.0.0.0/0']],
  ['http://10.1.2.3/', ['.10.1.2.3']],
  ['http://10.1.2.3/', ['10.1.2.3.']],
  ['http://[fd00::1]/', ['fd00::/8']],
  ['http://[fd00::1]/', ['fd00::1']],
  ['http://[fd00::1]/', ['[fd00::1]']],
  ['http://[fd00::1]:81/', ['[fd00::1]:81']],
  ['http://[fd00:0:0::1]/', ['fd00::0:1']],
  // The same addresses as IPv6 writes them.
  ['http://10.1.2.3/', ['::ffff:10.0.0.0/104']],
  ['http://10.1.2.3/', ['::ffff:a00:0/104']],
  ['http://10.1.2.3/', ['::ffff:0:0/96']],
  ['http://10.1.2.3/', ['::ffff:10.1.2.3']],
  ['http://10.1.2.3:81/', ['[::ffff:10.1.2.3]:81']],
  ['http://[::ffff:10.1.2.3]/', ['10.0.0.0/8']],
  ['http://[::ffff:10.1.2.3]/', ['::ffff:10.0.0.0/104']],
  // NAT64 reaches an IPv4 address, and is a network of its own.
  ['http://[64:ff9b::10.1.2.3]/', ['64:ff9b::/96']],
  ['http://[64:ff9b::10.1.2.3]/', ['64:ff9b::/32']],
  ['http://[64:ff9b::10.1.2.3]/', ['64:ff9b::10.0.0.0/104']],
  ['http://[64:ff9b::10.1.2.3]/', ['64:ff9b::a01:203']],
  ['http://[64:ff9b::10.1.2.3]/', ['10.0.0.0/8']],
  ['http://[64:ff9b:1:ab::10.1.2.3]/', ['64:ff9b:1::/48']],
  ['http://[fd00::1]/', ['::/0']],
  ['http://[fd00::1]/', ['fd00::ffff/64']],
  ['http://localhost:1234/', []],
  ['http://[::ffff:127.0.0.1]/', []],
  ['http://api.localhost/', []],
  ['http://127.8.9.1/', []],
  ['http://[::1]/', []],
])('%s is reached directly with %s', (url, noProxy) => {
  expect(isProxied(url, ...noProxy)).toBe(false);
});

it.each([
  ['https://example.com/', []],
  ['https://notexample.com/', ['example.com']],
  ['https://example.com.evil.example/', ['example.com']],
  ['https://example.com/', ['a.example.com']],
  ['https://example.com/', ['example.com:80']],
  ['http://11.1.2.3/', ['10.0.0.0/8']],
  ['http://10.1.2.3/', ['10.1.2.0/31']],
  ['http://[fe00::1]/', ['fd00::/8']],
  ['http://[fd00::2]/', ['fd00::1']],
  ['http://[fd00::1]/', ['0.0.0.0/0']],
  ['http://[fd00::1]/', ['::ffff:0:0/96']],
  ['http://10.1.2.3/', ['::/0']],
  ['http://11.1.2.3/', ['::ffff:10.0.0.0/104']],
  ['http://10.1.2.4/', ['::ffff:10.1.2.3']],
  ['http://10.1.2.3/', ['64:ff9b::/96']],
  ['http://[64:ff9b::11.1.2.3]/', ['64:ff9b::10.0.0.0/104']],
  ['http://[64:ff9b::11.1.2.3]/', ['10.0.0.0/8']],
  ['http://10.1.2.3:82/', ['10.1.2.3:81']],
  // A name is not looked up for it.
  ['http://inside.example/', ['0.0.0.0/0']],
])('%s goes through the proxy with %s', (url, noProxy) => {
  expect(isProxied(url, ...noProxy)).toBe(true);
});
