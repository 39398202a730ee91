import { expect, it } from 'vitest';
import { createReachOf } from './rdap-bootstrap.ts';

const IANA = new URL('https://data.iana.org/rdap/dns.json');
const BASE = 'https://rdap.example/domain/x';

it.each([
  'http://127.0.0.1:8080/dns.json',
  'http://10.1.2.3/dns.json',
  'http://[fd00::1]/dns.json',
  'http://localhost/x',
])('trusts the servers that an own document names: %s', async (url) => {
  expect(await createReachOf(new URL(url))('http://10.0.0.1/domain/x')).toBe('anywhere');
});

it('does not follow a public document to internal addresses, wherever the document itself is', async () => {
  const reachOf = createReachOf(IANA, async () => false);
  expect(await reachOf(BASE)).toBe('public');
  expect(await reachOf(IANA.href)).toBe('anywhere');
});

it('checks again while the name of the document cannot be resolved, and keeps the result then', async () => {
  const answers = [undefined, true, false];
  const reachOf = createReachOf(IANA, async () => answers.shift());
  expect([await reachOf(BASE), await reachOf(BASE), await reachOf(BASE)]).toEqual([
    'public',
    'anywhere',
    'anywhere',
  ]);
});
