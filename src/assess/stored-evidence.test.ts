import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyEvidence } from '../../test/support/any-evidence.ts';
import { EMPTY_EVIDENCE, type Evidence } from '../model/evidence.ts';
import { DEFAULT_THRESHOLDS } from '../model/policy.ts';
import { parseDecisionRecord, serializeDecisionRecord } from './decision-record.ts';
import { fillDefaults, type StoredEvidence, stripDefaults } from './stored-evidence.ts';

const serialize = (evidence: Evidence) =>
  serializeDecisionRecord({ policy: 'default-1', thresholds: DEFAULT_THRESHOLDS, findings: [], evidence });
const parse = (text: string) => parseDecisionRecord(text).evidence;

describe('stored evidence', () => {
  it('comes back as it was, whatever the facts are', () => {
    fc.assert(
      fc.property(anyEvidence, (evidence) => {
        expect(fillDefaults(JSON.parse(JSON.stringify(stripDefaults(evidence))))).toEqual(evidence);
        expect(parse(serialize(evidence))).toEqual(evidence);
      }),
      { numRuns: 200 },
    );
  });

  it('leaves out what says nothing, and only that', () => {
    fc.assert(
      fc.property(anyEvidence, (evidence) => {
        const { email = {}, ip, velocity = {} } = JSON.parse(serialize(evidence)).evidence as StoredEvidence;
        const kept = [email, ip ?? {}, velocity].flatMap((part) => Object.values(part));
        const nothing = [false, 0, '', []].map((value) => JSON.stringify(value));
        expect(kept.filter((value) => nothing.includes(JSON.stringify(value)))).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it('is read from records of versions that lacked some of the facts', () => {
    fc.assert(
      fc.property(anyEvidence, fc.func(fc.boolean()), (evidence, isNewer) => {
        const { evidence: stored } = JSON.parse(serialize(evidence)) as { evidence: StoredEvidence };
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

  it('is empty where a record has none', () => {
    expect(parse('{}')).toEqual(EMPTY_EVIDENCE);
    expect(parse('{"evidence":{"ip":null,"list":null}}')).toEqual(EMPTY_EVIDENCE);
  });

  it.each([
    [
      'much',
      '{"policy":"default-1","thresholds":{"challenge":30,"block":60},"findings":[{"detector":"vpn","code":"ip_anonymizer","weight":28.5,"detail":"203.0.113.7 is a VPN endpoint"}],"evidence":{"snapshot":"a1","email":{"domain":"x.example","disposable":true,"disposableHost":{"name":"mx.a.example","matched":"*.a.example","serves":3},"sharedSuffix":"ddns.net","mx":{"status":"valid","hosts":["mx.a.example"]},"age":{"days":3,"status":"known"},"hits":[{"fact":"disposable","source":"mail-host","entry":"*.a.example"},{"fact":"disposable","source":"mailchecker","entry":"x.example","version":"6.0.21"}],"unknown":["dnsbl:zone.example"]},"ip":{"address":"203.0.113.7","vpn":true,"abuseScore":40,"countryCode":"FR","country":"France","asn":64500},"velocity":{"ip1h":2,"mailbox24h":1,"partial":true},"list":{"id":"lst_1","action":"deny","kind":"domain","value":"x.example","reason":null}}}',
    ],
    [
      'little',
      '{"policy":"default-1","thresholds":{"challenge":30,"block":60},"findings":[],"evidence":{"snapshot":"a1","email":{"domain":"x.example","age":{"days":-1,"status":"late"},"unknown":["mx","age"]},"velocity":{}}}',
    ],
    [
      'name servers that do not answer',
      '{"policy":"custom-2","thresholds":{"challenge":1,"block":2},"findings":[],"evidence":{"snapshot":"a1","email":{"domain":"x.example","mx":{"status":"unknown","hosts":[],"unanswered":true},"unknown":["mx","age"]},"ip":{"address":"2001:db8::1"},"velocity":{"ip1h":1}}}',
    ],
  ])('is written in the bytes of every version so far: %s', (_, text) => {
    const { thresholds, ...record } = parseDecisionRecord(text);
    expect(serializeDecisionRecord({ ...record, thresholds: thresholds ?? DEFAULT_THRESHOLDS })).toBe(text);
  });
});
