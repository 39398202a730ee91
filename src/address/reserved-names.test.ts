import { describe, expect, it } from 'vitest';
import { isReservedName } from './reserved-names.ts';

describe('a reserved name', () => {
  it.each([
    'test',
    'your-team.test',
    'a.b.invalid',
    'localhost',
    'pc.localhost',
    'acme.example',
    'printer.local',
    'abc.onion',
    'wallet.alt',
    'home.arpa',
    'router.home.arpa',
  ])('is %s', (name) => {
    expect(isReservedName(name)).toBe(true);
  });

  it.each([
    'example.com',
    'test.com',
    'mytest',
    'acme.internal',
    'acme.newtld',
    'onion.com',
    'arpa',
    'office.arpa',
    'notlocal',
    'x.notlocal',
    'corp',
    'acme.lan',
    'localhost.com',
    'xhome.arpa',
    '',
  ])('is not %s', (name) => {
    expect(isReservedName(name)).toBe(false);
  });
});
