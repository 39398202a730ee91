import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aMatch } from '../../test/support/a-campaign.ts';
import { anyEvidence, type Changes, ordinaryEvidence } from '../../test/support/any-evidence.ts';
import { PROPERTY_RUNS } from '../../test/support/property-runs.ts';
import { DETECTOR_NAMES } from '../contract/detectors.ts';
import type { Evidence } from '../model/evidence.ts';
import type { ListMatch } from '../model/list-entry.ts';
import { DEFAULT_THRESHOLDS } from '../model/policy.ts';
import { describeFindings } from './describe-finding.ts';
import { writeFacts } from './facts.ts';
import { judge } from './judge.ts';
import { mainFindingOf } from './main-finding.ts';
import { DEFAULT_POLICY, RULES } from './policy.ts';
import { tippedBy } from './tipped-by.ts';
import { waterfallOf } from './waterfall.ts';

const POLICY = { ...DEFAULT_POLICY, thresholds: DEFAULT_THRESHOLDS };

/** Judges it, and reads the main finding from what is stored. */
function decide(evidence: Evidence) {
  const judgement = judge(evidence, POLICY);
  const { reasons, findings, score } = judgement;
  const { version: policy, thresholds } = POLICY;
  const rest = { policy, thresholds, ipStatus: 'ok', local: '', challenge: undefined } as const;
  const { email, ip } = evidence;
  const main = mainFindingOf({
    score,
    verdict: judgement.verdict,
    reasons,
    emailDomain: email.domain,
    ip: ip?.address ?? null,
    countryCode: ip?.countryCode ?? '',
    asn: ip?.asn ?? 0,
    facts: writeFacts({ ...rest, findings, evidence }, reasons),
  });
  return { judgement, main };
}

const titleFor = (changes: Changes) => decide(ordinaryEvidence(changes)).main?.title;
const entry = (fields: Partial<ListMatch> = {}): Changes => ({
  list: { id: 'lst_1', action: 'deny', kind: 'cidr', value: '203.0.113.0/24', reason: null, ...fields },
});

describe('the main finding', () => {
  it('is the largest step of the explanation, whatever was found', () => {
    fc.assert(
      fc.property(anyEvidence, (evidence) => {
        const { judgement, main } = decide(evidence);
        const { score, verdict, findings } = judgement;
        const described = describeFindings(findings, evidence);
        const thresholds = DEFAULT_THRESHOLDS;
        const waterfall = waterfallOf({ score, verdict, evidence, findings: described, thresholds });
        const [first] = waterfall;
        const isNamed = first !== undefined && first.weight >= 5;
        const named = isNamed ? { detector: first.detector, points: first.contribution } : null;
        const expected = evidence.list?.action === 'allow' ? { detector: 'allow_list', points: 0 } : named;
        expect(main && { detector: main.detector, points: main.points }).toEqual(expected);
        if (named !== null) expect(main?.tipped_by).toEqual(tippedBy(verdict, waterfall));
        expect(main?.title ?? 'none').toMatch(/^\S.*\S$/);
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });

  it('is none where nothing has five points', () => {
    expect(decide(ordinaryEvidence({ email: { consumer: true } })).main).toBeNull();
    expect(decide(ordinaryEvidence()).main).toBeNull();
    expect(decide(ordinaryEvidence({ email: { alias: true } })).main).toMatchObject({ points: 6 });
  });

  it.each<[Changes, string]>([
    [{ email: { disposable: true } }, 'Throw-away domain'],
    [{ velocity: { mailbox24h: 27, mailboxVoices24h: 27 } }, 'One mailbox, 27 spellings'],
    [{ ip: { vpn: true } }, 'VPN'],
    [{ email: { age: { days: 3, status: 'known' } } }, 'New domain: 3 days old'],
    [{ email: { providerMeant: 'gmail.com' } }, 'Typing mistake of gmail.com'],
    [{ ip: { abuseScore: 85 } }, 'IP with abuse score 85'],
    [{ velocity: { ip1h: 42, ipMailboxes1h: 40 } }, '40 people from one IP in an hour'],
    [{ campaign: aMatch({}) }, 'Wave at postfarm.example'],
    [entry({ reason: 'bot wave' }), 'Your Block list: bot wave'],
    [entry(), 'Your Block list: 203.0.113.0/24'],
    [entry({ value: '' }), 'Your Block list'],
    [entry({ action: 'allow', reason: 'our office' }), 'Your Allow list: our office'],
  ])('says the fact of %j: %s', (changes, title) => {
    expect(titleFor(changes)).toBe(title);
  });

  it('has a name for every detector', () => {
    const detectors = [...RULES.map(({ detector }) => detector), 'deny_list', 'allow_list', 'sandbox'];
    expect([...DETECTOR_NAMES].sort()).toEqual(detectors.sort());
  });
});
