import { expect, it } from 'vitest';
import { createSilentDomains, type SilentDomains } from './dns-silence.ts';

const MINUTE = 60_000;

function silence(domains: SilentDomains, below: string, count: number, now = 0): void {
  for (let at = 0; at < count; at += 1) domains.noteSilence(`n${at}.${below}`, now);
}

it('asks for no further name below a domain after five of its names got no answer', () => {
  const domains = createSilentDomains();
  silence(domains, 'wildcard.com', 4);
  domains.noteSilence('n0.wildcard.com', 0);
  expect(domains.refuses('new.wildcard.com', 0)).toBe(false);
  silence(domains, 'wildcard.com', 5);
  expect(domains.refuses('new.wildcard.com', 0)).toBe(true);
  expect(domains.refuses('deep.new.wildcard.com', MINUTE - 1)).toBe(true);
});

it('asks for one name a minute, and an answer ends the refusal', () => {
  const domains = createSilentDomains();
  silence(domains, 'wildcard.com', 5);
  expect(domains.refuses('new.wildcard.com', MINUTE)).toBe(false);
  expect(domains.refuses('next.wildcard.com', MINUTE)).toBe(true);
  domains.noteSilence('new.wildcard.com', MINUTE);
  expect(domains.refuses('next.wildcard.com', MINUTE + 1)).toBe(true);
  domains.noteAnswer('late.wildcard.com');
  expect(domains.refuses('next.wildcard.com', MINUTE + 1)).toBe(false);
});

it('starts over after an answer, and forgets silence after a minute', () => {
  const domains = createSilentDomains();
  silence(domains, 'slow.com', 4);
  domains.noteAnswer('fine.slow.com');
  domains.noteSilence('another.slow.com', 0);
  expect(domains.refuses('new.slow.com', 0)).toBe(false);
  silence(domains, 'seldom.com', 4);
  domains.noteSilence('another.seldom.com', MINUTE);
  expect(domains.refuses('new.seldom.com', MINUTE)).toBe(false);
});

it.each([
  ['the domain itself, which its customers use', 'wildcard.com', 'wildcard.com'],
  ['another domain', 'wildcard.com', 'a.bystander.com'],
  ['another tenant of a suffix that strangers share', 'mallory.github.io', 'a.alice.github.io'],
  ['a tenant of a suffix, by the silence of other tenants', 'github.io', 'alice.github.io'],
])('never refuses %s', (_title, silent, bystander) => {
  const domains = createSilentDomains();
  silence(domains, silent, 20);
  expect(domains.refuses(bystander, 0)).toBe(false);
});

it('remembers a limited number of domains', () => {
  const domains = createSilentDomains(10);
  for (let at = 0; at < 100; at += 1) silence(domains, `wildcard${at}.com`, 5);
  const refused = Array.from({ length: 100 }, (_, at) => domains.refuses(`x.wildcard${at}.com`, 0));
  expect(refused.filter(Boolean).length).toBeLessThanOrEqual(10);
  expect(refused.at(-1)).toBe(true);
  domains.clear();
  expect(domains.refuses('x.wildcard99.com', 0)).toBe(false);
});
