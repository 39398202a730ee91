import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aMatch } from '../../test/support/a-campaign.ts';
import { anyRecorded } from '../../test/support/any-recorded.ts';
import { rounds } from '../../test/support/long-version.ts';
import { type RecordedOptions, recorded } from '../../test/support/recorded.ts';
import type { Evidence } from '../model/evidence.ts';
import { DEFAULT_THRESHOLDS } from '../model/policy.ts';
import { anonymize, ERASED_DOMAIN } from './anonymize.ts';
import { blankPersonalData } from './blank-personal-data.ts';
import { judge } from './judge.ts';
import { DEFAULT_POLICY } from './policy.ts';
import { answerBodyOf, decisionRecordOf, evidenceOf } from './rebuild-answer.ts';

const COLUMNS = {
  addressHash: 'A'.repeat(22),
  mailboxHash: 'B'.repeat(22),
  emailMasked: 'z***@zoe-quandt.example',
  email: 'zoe@zoe-quandt.example',
  network: '203.0.113.7',
};
/** Seven digits, base 36. */
const STEM = 3_146_178_766;
const IDENTITY = { requestId: 'req_01k0q8y5m91111111111111111', addressHash: 'C'.repeat(22) };
const POLICY = { ...DEFAULT_POLICY, thresholds: DEFAULT_THRESHOLDS };
const anonymous = (evidence: Evidence, options: RecordedOptions = {}) =>
  anonymize({ ...recorded(evidence, options), ...COLUMNS }, IDENTITY);
const judged = (evidence: Evidence) => {
  const { score, verdict, findings } = judge(evidence, POLICY);
  return { score, verdict, findings: findings.map(({ detector, code, weight }) => [detector, code, weight]) };
};

describe('an assessment without its person', () => {
  it('keeps what is counted, and gets the same verdict when it is judged again', () => {
    fc.assert(
      fc.property(anyRecorded, ({ evidence, options }) => {
        const stored = recorded(evidence, options);
        const left = anonymous(evidence, options);
        const { at, verdict, score, reasons, processedMs, shadow } = stored;
        expect(left).toMatchObject({ ...IDENTITY, at, verdict, score, reasons, processedMs, shadow });
        const { findings, policy, thresholds } = decisionRecordOf(left);
        expect({ policy, thresholds }).toEqual({
          policy: decisionRecordOf(stored).policy,
          thresholds: decisionRecordOf(stored).thresholds,
        });
        expect(findings.map(({ detector, weight }) => [detector, weight])).toEqual(
          decisionRecordOf(stored).findings.map(({ detector, weight }) => [detector, weight]),
        );
        expect(judged(evidenceOf(left))).toEqual(judged(evidence));
        const answered = ({ verdict, score }: Record<string, unknown>) => ({ verdict, score });
        expect(answered(JSON.parse(answerBodyOf(left)))).toEqual(answered(JSON.parse(answerBodyOf(stored))));
      }),
      { numRuns: rounds(100, 20_000) },
    );
  });

  it('contains nothing that identifies a person', () => {
    const secrets = {
      ...COLUMNS,
      id: 'req_01k0q8y5m9x3w7v2n4b6c8d0zz',
      domain: 'zoe-quandt.example',
      session: 'zoe session',
      host: 'mx.zoe-quandt.example',
      entry: 'zoe-list',
      note: 'because of zoe',
      campaign: 'cmp_of_zoe',
      country: 'Atlantis',
      mask: 'l3.l6d2',
      stem: STEM.toString(36),
    };
    fc.assert(
      fc.property(anyRecorded, ({ evidence, options }) => {
        const hits = [{ fact: 'disposable', source: 'a-list', entry: secrets.domain }];
        const { email } = evidence;
        const personal: Evidence = {
          ...evidence,
          email: {
            ...email,
            domain: secrets.domain,
            mx: { status: 'valid', hosts: [secrets.host] },
            disposableHost: { name: secrets.host, matched: `*.${secrets.domain}`, serves: 3 },
            sharedSuffix: secrets.domain,
            providerMeant: secrets.domain,
            name: { ...email.name, mask: secrets.mask, stem: STEM, stemLetters: 9 },
            hits,
          },
          ip: evidence.ip && { ...evidence.ip, address: secrets.network, country: secrets.country, hits },
          list: evidence.list && {
            ...evidence.list,
            id: secrets.entry,
            value: secrets.domain,
            reason: secrets.note,
          },
          campaign: aMatch({ id: secrets.campaign, scopeText: secrets.domain }),
        };
        const more = { ...options, sessionId: secrets.session, local: 'zoe' };
        const left = anonymize({ ...recorded(personal, more), ...COLUMNS }, IDENTITY);
        const text = JSON.stringify(left) + answerBodyOf(left);
        expect(Object.entries(secrets).filter(([, secret]) => text.includes(secret))).toEqual([]);
        expect(left).toMatchObject({ emailDomain: ERASED_DOMAIN, countryCode: '', asn: 0, sessionId: null });
      }),
      { numRuns: rounds(100, 20_000) },
    );
  });

  it('is not changed by the retention of personal data', () => {
    fc.assert(
      fc.property(anyRecorded, ({ evidence, options }) => {
        const left = anonymous(evidence, options);
        const { facts: _, ...head } = blankPersonalData(left);
        expect(left).toMatchObject(head);
      }),
    );
  });
});
