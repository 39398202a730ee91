import { describe, expect, it } from 'vitest';
import { readSmtpUrl } from './smtp-url.ts';

describe('GATEHOUSE_SMTP_URL', () => {
  it.each([
    [undefined, null],
    ['off', null],
    ['smtp://mail.shop.example', { host: 'mail.shop.example', port: 587, tls: 'starttls', login: null }],
    ['smtps://mail.shop.example', { host: 'mail.shop.example', port: 465, tls: 'start', login: null }],
    ['smtp://127.0.0.1:1025?tls=off', { host: '127.0.0.1', port: 1025, tls: 'off', login: null }],
    ['smtp://[::1]:1025/?tls=off', { host: '::1', port: 1025, tls: 'off', login: null }],
    [
      'smtp://ops%40shop.example:p%2Fw@mail.shop.example:2525',
      {
        host: 'mail.shop.example',
        port: 2525,
        tls: 'starttls',
        login: { user: 'ops@shop.example', password: 'p/w' },
      },
    ],
  ])('%s', (text, server) => {
    expect(readSmtpUrl(text)).toEqual(server);
  });

  it.each([
    'mail.shop.example',
    'http://mail.shop.example',
    'smtp://',
    'smtps://mail.shop.example?tls=off',
    'smtp://mail.shop.example?tls=maybe',
    'smtp://mail.shop.example/path',
    'smtp://a:%ZZsecret@mail.shop.example',
  ])('is refused without being quoted: %s', (text) => {
    const read = () => readSmtpUrl(text);
    expect(read).toThrow('must be smtp://user:password@host:587');
    expect(read).not.toThrow('secret');
  });
});
