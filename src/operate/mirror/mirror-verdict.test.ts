import { describe, expect, it } from 'vitest';
import { createReadVerdict, parseMapping, parseScoreThresholds } from './mirror-verdict.ts';

describe('a verdict', () => {
  const read = createReadVerdict(parseMapping('Grey Area=challenge', parseMapping('a=b=block')), undefined);
  it.each([
    ['APPROVE', 'allow'],
    ['review', 'challenge'],
    ['Decline', 'block'],
    ['grey area', 'challenge'],
    ['a=b', 'block'],
  ])('%s is %s', (text, verdict) => {
    expect(read(text)).toBe(verdict);
  });

  it('that is unknown gets an error that says what to do', () => {
    expect(read('grey')).toEqual({ problem: expect.stringContaining('--map') });
    expect(read('87')).toEqual({ problem: expect.stringContaining('--threshold-for-scores') });
    expect(read('')).toEqual({ problem: 'there is no verdict' });
  });

  it('of a score depends on thresholds, in both directions', () => {
    const high = createReadVerdict(new Map(), parseScoreThresholds('75, 90'));
    expect(['74.9', '75', '89', '90', '1e2'].map(high)).toEqual([
      'allow',
      'challenge',
      'challenge',
      'block',
      'block',
    ]);
    const low = createReadVerdict(new Map(), parseScoreThresholds('0.5,0.2'));
    expect(['0.51', '0.5', '0.21', '0.2', '0'].map(low)).toEqual([
      'allow',
      'challenge',
      'challenge',
      'block',
      'block',
    ]);
  });

  it.each(['75', '75,', '75,x', '75,90,95'])('has no thresholds “%s”', (text) => {
    expect(() => parseScoreThresholds(text)).toThrow('75,90');
  });

  it.each(['grey', '=allow', 'grey=maybe'])('has no mapping “%s”', (text) => {
    expect(() => parseMapping(text)).toThrow('their value=allow');
  });
});
