import { describe, expect, it } from 'vitest';
import { readUserEmail } from './user-fields.ts';

describe('readUserEmail', () => {
  it('reads an address in lower case', () => {
    expect(readUserEmail(' Jo@Example.COM ')).toBe('jo@example.com');
  });

  it.each(['', 'jo', 'jo@invalid', 'usr_1@unverified.invalid', 'JO@Mail.INVALID', 'jo@a.b.invalid'])(
    'refuses %j',
    (text) => {
      expect(() => readUserEmail(text)).toThrow('not an email address');
    },
  );

  it('accepts a domain that contains “invalid” elsewhere', () => {
    expect(readUserEmail('jo@invalid.example')).toBe('jo@invalid.example');
  });
});
