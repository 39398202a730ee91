import { describe, expect, it } from 'vitest';
import { type InForce, readDraft, thresholdsQuery, weightsQuery } from './thresholds-draft-query.ts';

const inForce: InForce = {
  thresholds: { challenge: 30, block: 58 },
  weights: new Map([
    ['vpn', 22],
    ['proxy', 32],
    ['disposable_mx', 68],
  ]),
  maxWeights: new Map([['disposable_mx', 59]]),
};
const read = (query: string) => readDraft(new URLSearchParams(query), inForce);

describe('a draft in the URL', () => {
  it.each([
    ['', 30, 58],
    ['challenge=24&block=48', 24, 48],
    ['challenge=24', 24, 58],
    ['block=20', 20, 20],
    ['challenge=90', 58, 58],
    ['challenge=-5&block=900', 1, 100],
    ['challenge=0&block=0', 1, 1],
    ['challenge=99999999999999999999&block=100', 100, 100],
    ['challenge=ten&block=1e2', 30, 58],
    ['challenge=24.5&block=', 30, 58],
    ['challenge=24&challenge=50', 24, 58],
  ])('%s: thresholds %i and %i', (query, challenge, block) => {
    expect(read(query).thresholds).toEqual({ challenge, block });
  });

  it.each([
    ['', {}],
    ['w.vpn=40', { vpn: 40 }],
    ['w.vpn=22', {}],
    ['w.vpn=22.04', {}],
    ['w.vpn=12.345&w.proxy=0', { vpn: 12.3, proxy: 0 }],
    ['w.vpn=-1&w.proxy=101', { vpn: 0, proxy: 100 }],
    ['w.disposable_mx=95', { disposable_mx: 59 }],
    ['w.vpn=Infinity&w.proxy=NaN', {}],
    ['w.unknown=5&w.=5&w.__proto__=5&vpn=5', {}],
  ])('%s: weights %j', (query, weights) => {
    expect(read(query).weights).toEqual(weights);
  });

  it('is read as it was written, and leaves nothing where it is in force', () => {
    const changes = {
      ...thresholdsQuery({ challenge: 24, block: 48 }, inForce),
      ...weightsQuery({ vpn: 40.5, proxy: 32 }, inForce),
    };
    expect(changes).toEqual({ challenge: '24', block: '48', 'w.vpn': '40.5', 'w.proxy': undefined });
    expect(thresholdsQuery(inForce.thresholds, inForce)).toEqual({ challenge: undefined, block: undefined });
  });
});
