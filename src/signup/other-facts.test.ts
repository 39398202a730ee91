/** A fact without a place of its own is stored by its name, and read again; older texts lack it. */
import { describe, expect, it } from 'vitest';
import { createOtherFacts } from './other-facts.ts';

const EMPTY = { domain: '', isParked: false, redirects: 0, standing: '' };
const STANDINGS = ['', 'popular'];
const facts = createOtherFacts('email', EMPTY, ['domain'], { standing: STANDINGS });
const pairsOf = (text: string): Record<string, unknown> => {
  const values = JSON.parse(`[0${text}]`) as unknown[];
  const pairs: Record<string, unknown> = {};
  for (let at = 1; at < values.length; at += 2) pairs[values[at] as string] = values[at + 1];
  return pairs;
};

describe('a fact without a place of its own', () => {
  it('is written by its name unless it is empty', () => {
    expect(facts.write({ domain: 'a.example', isParked: true, redirects: 2, standing: 'popular' })).toBe(
      ',"email.isParked",true,"email.redirects",2,"email.standing","popular"',
    );
    expect(facts.write({ ...EMPTY, domain: 'a.example' })).toBe('');
  });

  it('is read as it was written, and is empty in a text without it', () => {
    const found = { domain: 'a.example', isParked: true, redirects: 2, standing: 'popular' };
    expect(facts.read({ ...EMPTY, domain: 'a.example' }, pairsOf(facts.write(found)))).toEqual(found);
    expect(facts.read({ ...EMPTY, domain: 'a.example' }, {})).toEqual({ ...EMPTY, domain: 'a.example' });
  });

  it('is a number, true or false, or one of a few words: erasing a person must know every text', () => {
    expect(() =>
      createOtherFacts('email', { ...EMPTY, registrar: '' }, ['domain'], { standing: STANDINGS }),
    ).toThrow('email.registrar is neither a number nor true or false');
  });
});
