import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyEvidence } from '../../test/support/any-evidence.ts';
import { EMPTY_EMAIL, EMPTY_EVIDENCE, EMPTY_IP, EMPTY_VELOCITY } from '../model/evidence.ts';
import { parseDecisionRecord } from './decision-record.ts';
import { fillDefaults, type StoredEvidence } from './stored-evidence.ts';

const parse = (text: string) => parseDecisionRecord(text).evidence;
const THRESHOLDS = '"thresholds":{"challenge":30,"block":60}';

describe('evidence that older versions stored', () => {
  it('is read from records of versions that lacked some of the facts', () => {
    fc.assert(
      fc.property(anyEvidence, fc.func(fc.boolean()), (evidence, isNewer) => {
        const stored = evidence as StoredEvidence;
        const expected: Record<string, unknown> = { ...evidence };
        const older: Record<string, unknown> = { ...stored };
        for (const part of ['email', 'velocity'] as const) {
          const facts = Object.entries(evidence[part]).map(([fact, value]) => {
            const empty = (EMPTY_EVIDENCE[part] as unknown as Record<string, unknown>)[fact];
            return [fact, isNewer(part, fact) ? empty : value];
          });
          expected[part] = Object.fromEntries(facts);
          const left = Object.entries(stored[part] ?? {}).filter(([fact]) => !isNewer(part, fact));
          older[part] = Object.fromEntries(left);
        }
        expect(fillDefaults(older as StoredEvidence)).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });

  it('is empty if the record has none', () => {
    expect(parse('{}')).toEqual(EMPTY_EVIDENCE);
    expect(parse('{"evidence":{"ip":null,"list":null}}')).toEqual(EMPTY_EVIDENCE);
  });

  it('is read with thresholds, findings and everything else', () => {
    const text = `{"policy":"default-1",${THRESHOLDS},"findings":[{"detector":"vpn","code":"ip_anonymizer","weight":28.5,"detail":"203.0.113.7 is a VPN endpoint"}],"evidence":{"snapshot":"a1","email":{"domain":"x.example","disposable":true,"disposableHost":{"name":"mx.a.example","matched":"*.a.example","serves":3},"sharedSuffix":"ddns.net","mx":{"status":"valid","hosts":["mx.a.example"]},"age":{"days":3,"status":"known"},"hits":[{"fact":"disposable","source":"mail-host","entry":"*.a.example"},{"fact":"disposable","source":"mailchecker","entry":"x.example","version":"6.0.21"}],"unknown":["dnsbl:zone.example"]},"ip":{"address":"203.0.113.7","vpn":true,"abuseScore":40,"countryCode":"FR","country":"France","asn":64500},"velocity":{"ip1h":2,"mailbox24h":1,"partial":true},"list":{"id":"lst_1","action":"deny","kind":"domain","value":"x.example","reason":null}}}`;
    const detail = '203.0.113.7 is a VPN endpoint';
    expect(parseDecisionRecord(text)).toEqual({
      policy: 'default-1',
      thresholds: { challenge: 30, block: 60 },
      findings: [{ detector: 'vpn', code: 'ip_anonymizer', weight: 28.5, detail }],
      evidence: {
        snapshot: 'a1',
        email: {
          ...EMPTY_EMAIL,
          domain: 'x.example',
          disposable: true,
          disposableHost: { name: 'mx.a.example', matched: '*.a.example', serves: 3 },
          sharedSuffix: 'ddns.net',
          mx: { status: 'valid', hosts: ['mx.a.example'] },
          age: { days: 3, status: 'known' },
          hits: [
            { fact: 'disposable', source: 'mail-host', entry: '*.a.example' },
            { fact: 'disposable', source: 'mailchecker', entry: 'x.example', version: '6.0.21' },
          ],
          unknown: ['dnsbl:zone.example'],
        },
        ip: {
          ...EMPTY_IP,
          ...{ address: '203.0.113.7', vpn: true, abuseScore: 40 },
          ...{ countryCode: 'FR', country: 'France', asn: 64_500 },
        },
        velocity: { ...EMPTY_VELOCITY, ip1h: 2, mailbox24h: 1, partial: true },
        list: { id: 'lst_1', action: 'deny', kind: 'domain', value: 'x.example', reason: null },
      },
    });
  });

  it.each([
    [
      'little',
      `{"policy":"default-1",${THRESHOLDS},"findings":[],"evidence":{"snapshot":"a1","email":{"domain":"x.example","age":{"days":-1,"status":"late"},"unknown":["mx","age"]},"velocity":{}}}`,
      { email: { domain: 'x.example', age: { status: 'late' }, unknown: ['mx', 'age'] }, ip: null },
    ],
    [
      'name servers that do not answer',
      `{"policy":"custom-2",${THRESHOLDS},"findings":[],"evidence":{"snapshot":"a1","email":{"domain":"x.example","mx":{"status":"unknown","hosts":[],"unanswered":true},"unknown":["mx","age"]},"ip":{"address":"2001:db8::1"},"velocity":{"ip1h":1}}}`,
      {
        email: { mx: { unanswered: true } },
        ip: { address: '2001:db8::1', country: '' },
        velocity: { ip1h: 1 },
      },
    ],
  ])('is read: %s', (_, text, expected) => {
    expect(parse(text)).toMatchObject(expected);
  });
});
