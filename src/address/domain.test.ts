import { expect, it } from 'vitest';
import { ownerDomain, registrableDomain } from './domain.ts';

it.each([
  ['mx7.example.net', 'example.net', 'example.net'],
  ['a.b.example.co.uk', 'example.co.uk', 'example.co.uk'],
  ['mx.jo.ddns.net', 'jo.ddns.net', 'ddns.net'],
  ['ddns.net', undefined, 'ddns.net'],
  ['co.uk', undefined, undefined],
])('%s is owned by %s and registered as %s', (host, owner, registered) => {
  expect([ownerDomain(host), registrableDomain(host)]).toEqual([owner, registered]);
  expect(ownerDomain(host)).toBe(owner);
});
