/** A fact without a place of its own is stored by its name, and read again; older texts lack it. */
import { describe, expect, it } from 'vitest';
import { createOtherFacts } from './other-facts.ts';

const EMPTY = { domain: '', isParked: false, redirects: 0 };
const facts = createOtherFacts('email', EMPTY, ['domain']);
const pairsOf = (text: string): Record<string, unknown> => {
  const values = JSON.parse(`[0${text}]`) as unknown[];
  return { [values[1] as string]: values[2], [values[3] as string]: values[4] };
};

describe('a fact without a place of its own', () => {
  it('is written by its name unless it is empty', () => {
    expect(facts.write({ domain: 'a.example', isParked: true, redirects: 2 })).toBe(
      ',"email.isParked",true,"email.redirects",2',
    );
    expect(facts.write({ ...EMPTY, domain: 'a.example' })).toBe('');
  });

  it('is read as it was written, and is empty in a text without it', () => {
    const found = { domain: 'a.example', isParked: true, redirects: 2 };
    expect(facts.read({ domain: 'a.example' }, pairsOf(facts.write(found)))).toEqual(found);
    expect(facts.read({ domain: 'a.example' }, {})).toEqual({ ...EMPTY, domain: 'a.example' });
  });

  it('is a number, or true or false: erasing a person must know every text', () => {
    expect(() => createOtherFacts('email', { ...EMPTY, registrar: '' }, ['domain'])).toThrow(
      'email.registrar is neither a number nor true or false',
    );
  });
});
