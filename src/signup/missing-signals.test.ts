import { describe, expect, it } from 'vitest';
import { type Changes, ordinaryEvidence } from '../../test/support/any-evidence.ts';
import type { Assessment } from '../contract/messages.ts';
import { missingSignalsOf } from './missing-signals.ts';

const AT = Date.parse('2026-11-21T12:00:00Z');

function sentencesFor(changes: Changes = {}, ipStatus: Assessment['ip_status'] = 'ok') {
  return missingSignalsOf({
    evidence: ordinaryEvidence(changes),
    ipStatus,
    at: AT,
    staleFrom: () => undefined,
  });
}

describe('what was unknown', () => {
  it('is nothing if every source answered', () => {
    expect(sentencesFor()).toEqual([]);
  });

  it.each([
    [{ email: { mx: { status: 'unknown', hosts: [] }, unknown: ['mx'] } }, /DNS did not answer/],
    [{ email: { age: { days: -1, status: 'late' }, unknown: ['age'] } }, /came too late/],
    [{ email: { age: { days: -1, status: 'unavailable' }, unknown: ['age'] } }, /no registry could be asked/],
    [{ email: { age: { days: -1, status: 'unlisted' } } }, /publishes none/],
    [{ email: { unknown: ['dnsbl:dbl.example'] } }, /^The blocklist dbl\.example .* the domain/],
    [{ ip: { unknown: ['abuseipdb'] } }, /^AbuseIPDB .* the IP address/],
    [{ ip: { asn: 0 } }, /No network/],
    [{ ip: { countryCode: '' } }, /No country/],
    [{ velocity: { partial: true } }, /lower bounds: there may have been more/],
  ] as [Changes, RegExp][])('is reported once: %j', (changes, sentence) => {
    const sentences = sentencesFor(changes);
    expect(sentences).toHaveLength(1);
    expect(sentences[0]).toMatch(sentence);
  });

  it.each(['missing', 'ignored_loopback', 'ignored_private', 'ignored_localhost'] as const)(
    'is the IP address when it was %s',
    (status) => {
      expect(sentencesFor({ ip: null }, status)).toHaveLength(1);
    },
  );

  it('includes a source that was stale when it answered, once, and no other source', () => {
    const hit = (source: string, version: string) => ({ fact: 'tor', source, version, entry: '203.0.113.7' });
    const hits = [hit('fresh', 'a'), hit('old', 'b'), hit('old', 'b'), hit('unknown', 'c')];
    const since = new Map([
      ['fresh a', AT + 1],
      ['old b', AT],
    ]);
    const staleFrom = (source: string, version: string) => since.get(`${source} ${version}`);
    const evidence = ordinaryEvidence({ ip: { hits } });
    expect(missingSignalsOf({ evidence, ipStatus: 'ok', at: AT, staleFrom })).toEqual([
      'old had not been confirmed by its publisher for a while: its data may have been out of date.',
    ]);
  });
});
