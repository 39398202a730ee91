/** Results that every store must find for a list entry, compared with a recount. Part of the suite that each adapter runs. */
import { beforeAll, describe, expect, it } from 'vitest';
import { anAssessment } from '../../test/support/an-assessment.ts';
import type { MakeId } from '../contract/identifiers.ts';
import type { ListScope } from '../model/list-entry.ts';
import type { ListCandidate } from './history-store.ts';
import type { AssessmentRecord, Store } from './store.ts';
import { createPick, createRandom, DAY_MS, NOW } from './store-history-samples.suite.ts';

const ROWS = 300;
const SINCE = NOW - 2 * DAY_MS;
const DOMAINS = [
  'example.com',
  'a.example.com',
  'b.a.example.com',
  'notexample.com',
  'example.org',
  'com.org',
];
const IPS = ['203.0.113.7', '203.0.113.200', '203.0.114.1', '2001:db8::1', '2001:db8::2', null];

const hashesOf = ({ addressHash, mailboxHash }: Pick<AssessmentRecord, 'addressHash' | 'mailboxHash'>) => [
  addressHash,
  mailboxHash,
];

type InScope = (sample: AssessmentRecord) => boolean;

const SCOPES: [ListScope, InScope][] = [
  [{ address: 'address-1', mailbox: 'mailbox-1' }, (sample) => sample.addressHash === 'address-1'],
  [{ address: 'address-3', mailbox: 'mailbox-1' }, (sample) => sample.addressHash === 'address-3'],
  [{ mailbox: 'mailbox-1' }, (sample) => sample.mailboxHash === 'mailbox-1'],
  [{ address: 'nobody', mailbox: 'nobody' }, () => false],
  [{ domain: 'example.com' }, (sample) => /(^|\.)example\.com$/.test(sample.emailDomain)],
  [{ domain: 'a.example.com' }, (sample) => /(^|\.)a\.example\.com$/.test(sample.emailDomain)],
  [{ domain: 'com' }, (sample) => sample.emailDomain.endsWith('.com')],
  [{ domain: 'org' }, (sample) => sample.emailDomain.endsWith('.org')],
  [{ ip: { first: '203.0.113.7', last: '203.0.113.7' } }, (sample) => sample.ip === '203.0.113.7'],
  [
    { ip: { first: '203.0.113.0', last: '203.0.113.255' } },
    (sample) => sample.ip?.startsWith('203.0.113.') === true,
  ],
  [
    { ip: { first: '203.0.0.0', last: '203.0.255.255' } },
    (sample) => sample.ip?.startsWith('203.0.') === true,
  ],
  [{ ip: { first: '2001:db8::2', last: '2001:db8::2' } }, (sample) => sample.ip === '2001:db8::2'],
  [{ asn: 64_501 }, (sample) => sample.asn === 64_501],
  [{ country: 'DE' }, (sample) => sample.countryCode === 'DE'],
];

export function describeListCandidates(store: () => Store, makeId: MakeId): void {
  describe('what a list entry may match', () => {
    const random = createRandom(20_260_511);
    const pick = createPick(random);
    const [accountId, otherId] = [makeId('acc', NOW), makeId('acc', NOW)];
    const stored: AssessmentRecord[] = [];

    beforeAll(async () => {
      for (let count = 0; count < ROWS; count += 1) {
        const ip = pick(IPS);
        const person = Math.floor(random() * 6);
        stored.push(
          anAssessment({
            accountId: random() < 0.1 ? otherId : accountId,
            mode: random() < 0.2 ? 'test' : 'live',
            at: NOW - Math.floor(random() * 3 * DAY_MS),
            emailDomain: pick(DOMAINS),
            addressHash: `address-${person}`,
            mailboxHash: `mailbox-${person % 2}`,
            ip,
            network: ip?.includes(':') === true ? '2001:db8::/64' : ip,
            countryCode: ip === null ? '' : pick(['FR', 'DE']),
            asn: ip === null ? 0 : pick([64_500, 64_501]),
          }),
        );
      }
      await Promise.all(stored.map((sample) => store().record(sample)));
    });

    async function find(scope: ListScope, limit: number) {
      const found: ListCandidate[] = [];
      let reached: number | null = null;
      for await (const chunk of store().listCandidates(accountId, scope, SINCE, limit)) {
        found.push(...chunk.candidates);
        reached = chunk.reached;
      }
      return { found, reached };
    }
    const live = () => stored.filter((sample) => sample.accountId === accountId && sample.mode === 'live');

    it.each(SCOPES)('finds all live signups of %j since a given time, each once', async (scope, inScope) => {
      const { found, reached } = await find(scope, 50_000);
      const expected = live().filter((sample) => sample.at >= SINCE && inScope(sample));
      expect(found.map(({ row }) => row.requestId).sort()).toEqual(
        expected.map(({ requestId }) => requestId).sort(),
      );
      expect(reached).toBeNull();
      const hashes = new Map(stored.map((sample) => [sample.requestId, hashesOf(sample)]));
      for (const each of found) expect(hashesOf(each)).toEqual(hashes.get(each.row.requestId));
    });
  });
}
