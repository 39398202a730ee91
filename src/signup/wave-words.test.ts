import { describe, expect, it } from 'vitest';
import { aMatch } from '../../test/support/a-campaign.ts';
import { ordinaryEvidence } from '../../test/support/any-evidence.ts';
import { CAMPAIGN_MARKS, CAMPAIGN_SCOPES, type CampaignMatch } from '../model/campaign.ts';
import { describeMask, describeWave, oddsOf } from './wave-words.ts';

const say = (fields: Partial<CampaignMatch> = {}) =>
  describeWave(ordinaryEvidence({ campaign: aMatch(fields) }));

describe('a wave in words', () => {
  it('names place, marks, odds and what agrees', () => {
    expect(say()).toBe(
      'member 9 of a wave at postfarm.example: all 9 names look generated, as with 1 in 80 of your people; the odds that this is chance are below 1 in a billion; names and domain agree',
    );
  });

  it.each<[Partial<CampaignMatch>, string]>([
    [
      { scope: 'provider', scopeText: 'outlook.com', mark: 'mask', markText: 'l8d4' },
      'all 9 names have one pattern (8 letters, 4 digits)',
    ],
    [
      { scope: 'range', scopeText: '203.0.113.0/24', mark: 'any' },
      'from the network 203.0.113.0/24: 9 signups;',
    ],
    [{ scope: 'address', scopeText: '' }, 'from one IP'],
    [
      { scope: 'hosting', scopeText: '', mark: 'random' },
      'from hosting networks: all 9 names are random letters and digits',
    ],
    [
      { scope: 'account', scopeText: '', mark: 'victims' },
      'among all your signups: 9 addresses of strangers',
    ],
    [{ mark: 'length', markText: '12' }, 'look random and have 12 characters'],
    [{ usual: 0.8 }, 'as with 80 in 100 of your people'],
    [{ usual: 0.000_01 }, 'as with 1 in 100,000 of your people'],
    [{ families: ['names', 'network', 'time'] }, 'names, networks and times agree'],
    [{ confirmed: true }, 'a wave at postfarm.example, which your team confirmed: '],
  ])('says of %j: %s', (fields, words) => {
    expect(say(fields)).toContain(words);
  });

  it('says nothing that it does not know', () => {
    const words = say({ usual: 0, decades: 0, families: ['names'] });
    expect(words).toBe('member 9 of a wave at postfarm.example: all 9 names look generated');
  });

  it('is one line for each scope and mark, with and without a name', () => {
    for (const scope of CAMPAIGN_SCOPES)
      for (const mark of CAMPAIGN_MARKS)
        for (const scopeText of ['', 'a.example'])
          expect(say({ scope, mark, scopeText })).toMatch(
            /^member 9 of a wave (at|from|of|among) [^:]+\S: \S.*\S$/,
          );
  });

  it.each([
    [0.2, '1 in 10'],
    [2.9, '1 in 100'],
    [3, '1 in a thousand'],
    [9.4, '1 in a billion'],
    [10.1, '1 in 10 billion'],
    [14, '1 in 100 trillion'],
    [400, '1 in 100 quadrillion'],
  ])('says %s decades as %s', (decades, words) => {
    expect(oddsOf(decades)).toBe(words);
  });

  it.each([
    ['l8d4', '8 letters, 4 digits'],
    ['l4.l6', '4 letters, a dot, 6 letters'],
    ['x10', '10 letters and digits'],
    ['l3_d2', '3 letters, an underscore, 2 digits'],
    ['ld4', 'letters, 4 digits'],
    ['', ''],
  ])('says the mask %s as %s', (mask, words) => {
    expect(describeMask(mask)).toBe(words);
  });
});
