import { describe, expect, it } from 'vitest';
import { createRedact } from './redact.ts';

describe('a redacted text', () => {
  it.each([
    [['sk_live_abc'], 'bad header Bearer sk_live_abc', 'bad header Bearer [redacted]'],
    [['jo@example.com'], 'no mail to JO@example.com, jo@example.com', 'no mail to [redacted], [redacted]'],
    [[' a+b@x.org\n', undefined, null, ''], 'a+b@x.org or a+b@x_org', '[redacted] or a+b@x_org'],
    [['203.0.113.7', '203.0.113.77'], 'from 203.0.113.77', 'from [redacted]'],
    [[], 'nothing to hide', 'nothing to hide'],
  ])('without %j', (secrets, text, shown) => {
    expect(createRedact(secrets)(text)).toBe(shown);
  });
});

it.each([
  ['http://127.0.0.1:8999', 'connect ECONNREFUSED 127.0.0.1:8999', 'connect ECONNREFUSED 127.0.0.1:8999'],
  ['http://127.0.0.1:8999', 'for 127.0.0.1', 'for [redacted]'],
  ['http://127.0.0.1:8999', 'from 127.0.0.1:51234', 'from [redacted]:51234'],
  [
    'http://localhost:8080',
    'connect ECONNREFUSED ::1:8080 127.0.0.1:8080',
    'connect ECONNREFUSED ::1:8080 127.0.0.1:8080',
  ],
  ['http://[::1]:8080', 'connect ECONNREFUSED ::1:8080', 'connect ECONNREFUSED ::1:8080'],
  [
    'https://gatehouse.example',
    'getaddrinfo ENOTFOUND gatehouse.example',
    'getaddrinfo ENOTFOUND gatehouse.example',
  ],
  ['http://127.0.0.1:8999', 'jo@example.com at 203.0.113.7', '[redacted] at [redacted]'],
  ['https://example.com', 'jo@example.com', '[redacted]'],
])('keeps the host of %s in "%s", and nothing else', (url, text, expected) => {
  const secrets = ['jo@example.com', '203.0.113.7', '127.0.0.1', '::1', 'gatehouse.example'];
  expect(createRedact(secrets, url)(text)).toBe(expected);
});
