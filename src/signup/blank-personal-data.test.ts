import { expect, it } from 'vitest';
import { aMatch } from '../../test/support/a-campaign.ts';
import { EMPTY_EMAIL, EMPTY_EVIDENCE, EMPTY_IP } from '../model/evidence.ts';
import { type NameFacts, NO_NAME } from '../model/name-facts.ts';
import { blankPersonalData } from './blank-personal-data.ts';
import { writeFacts } from './facts.ts';
import { answerBodyOf, decisionRecordOf } from './rebuild-answer.ts';

const IP = '203.0.113.77';
const head = {
  requestId: 'req_01',
  shadow: false,
  at: Date.UTC(2026, 4, 10),
  verdict: 'block' as const,
  score: 70,
  reasons: ['ip_hosting' as const],
  sessionId: null,
  processedMs: 3,
  emailDomain: 'gmial.com',
  emailMasked: 'j***@gmial.com',
  email: 'jane.roe@gmial.com',
  ip: IP,
  network: IP,
  countryCode: 'FR',
  asn: 64_500,
  addressHash: 'hash',
};
const NAME: NameFacts = {
  odds: 9.4,
  strangeness: 1.2,
  known: 'name',
  mask: 'l4.l3d2',
  stem: 3_146_178_766,
  stemLetters: 7,
};
const facts = writeFacts(
  {
    policy: 'default-1',
    thresholds: { challenge: 30, block: 60 },
    findings: [{ detector: 'abuse', code: 'ip_hosting', weight: 70 }],
    evidence: {
      ...EMPTY_EVIDENCE,
      email: { ...EMPTY_EMAIL, providerMeant: 'gmail.com', name: NAME },
      ip: {
        ...EMPTY_IP,
        abuseScore: 70,
        hits: [
          { fact: 'abuse', source: 'own', entry: IP },
          { fact: 'abuse', source: 'own', entry: '203.0.113.0/24' },
        ],
      },
      list: { id: 'lst_1', action: 'deny', kind: 'ip', value: IP, reason: 'spam' },
      campaign: aMatch({ scope: 'range', scopeText: '203.0.113.0/25' }),
    },
    ipStatus: 'ok',
    local: 'jane.roe',
    challenge: undefined,
  },
  head.reasons,
);
const PERSONAL = new RegExp(`203\\.0\\.113\\.77|jane|j\\*\\*\\*|l4\\.l3|${NAME.stem.toString(36)}`);

it('removes IP and address from the facts, and keeps all that was judged', () => {
  const before = { ...head, facts };
  expect(JSON.stringify(before)).toMatch(PERSONAL);
  const after = blankPersonalData(before);
  expect(JSON.stringify(after)).not.toMatch(PERSONAL);
  expect(after).toMatchObject({ verdict: 'block', score: 70, addressHash: 'hash', asn: 64_500 });
  const { evidence, findings } = decisionRecordOf(after);
  expect(evidence.email.name).toEqual({ ...NO_NAME, odds: 9.4 });
  expect(evidence.ip).toMatchObject({ abuseScore: 70, address: '', countryCode: 'FR' });
  expect(evidence.ip?.hits.map(({ entry }) => entry)).toEqual(['', '203.0.113.0/24']);
  expect(evidence.list).toMatchObject({ id: 'lst_1', value: '', reason: 'spam' });
  expect(evidence.campaign).toEqual(aMatch({ scope: 'range', scopeText: '' }));
  expect(findings.map(({ detector, weight }) => [detector, weight])).toEqual([['abuse', 70]]);
  expect(JSON.parse(answerBodyOf(after))).toMatchObject({ score: 70, signals: { ip: { address: '' } } });
  expect(answerBodyOf(after)).not.toMatch(PERSONAL);
  expect(blankPersonalData(after)).toEqual(after);
});
