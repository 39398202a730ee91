import { describe, expect, it, vi } from 'vitest';
import { createMatchNames } from './dashboard-find-match.ts';

describe('the match of a name', () => {
  it.each([
    ['Germany', 'germany', 3],
    ['Côte d’Ivoire', 'cote d’ivoire', 3],
    ['Hetzner Online GmbH', 'hetz', 2],
    ['Deutsche Telekom AG', 'TELEKOM', 1],
    ['bot wave 28 Nov', 'wave 28', 1],
    ['mailinator.com', 'com', 1],
    ['Counterexample', 'example', 0],
    ['Germany', 'france', 0],
    ['anan an', 'an', 2],
    ['banan an', 'an', 1],
  ])('of %j for %j is %i', (name, text, match) => {
    expect(createMatchNames(text)([name])).toBe(match);
  });

  it('is the best of several', () => {
    expect(createMatchNames('telekom')(['Deutsche Telekom', 'telekom'])).toBe(3);
    expect(createMatchNames('telekom')([])).toBe(0);
  });

  it('is none for a text that is longer than names', () => {
    const text = 'x'.repeat(301);
    expect(createMatchNames(text)([text])).toBe(0);
  });

  // One of these letters folds to eighteen: a text of a thousand took half a minute for 50,000 names.
  it('costs the folding of the text once, however many names there are', () => {
    const text = '\ufdfa'.repeat(300);
    const folding = vi.spyOn(String.prototype, 'normalize');
    const match = createMatchNames(text);
    for (let number = 0; number < 1_000; number += 1) match([`d${number}-harbour.example`]);
    expect(folding).toHaveBeenCalledTimes(1);
    folding.mockRestore();
  });
});
