import { describe, expect, it } from 'vitest';
import { matchName, matchNames } from './dashboard-find-match.ts';

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
    expect(matchName(name, text)).toBe(match);
  });

  it('is the best of several', () => {
    expect(matchNames(['Deutsche Telekom', 'telekom'], 'telekom')).toBe(3);
    expect(matchNames([], 'telekom')).toBe(0);
  });
});
