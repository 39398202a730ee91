/** Evidence for tests: an ordinary signup with changes, or arbitrary evidence. */
import fc from 'fast-check';
import { CAMPAIGN_FAMILIES, CAMPAIGN_MARKS, CAMPAIGN_SCOPES } from '../../src/model/campaign.ts';
import {
  EMPTY_EMAIL,
  EMPTY_IP,
  EMPTY_VELOCITY,
  type Evidence,
  SHARED_PLACES,
  STANDINGS,
  VICTIMS,
} from '../../src/model/evidence.ts';
import { KNOWN, type NameFacts, NO_NAME } from '../../src/model/name-facts.ts';
import { BROUGHT_BY } from '../../src/model/signup-attempt.ts';

export interface Changes {
  readonly email?: Partial<Evidence['email']>;
  readonly ip?: Partial<NonNullable<Evidence['ip']>> | null;
  readonly velocity?: Partial<Evidence['velocity']>;
  readonly list?: Evidence['list'];
  readonly office?: Evidence['office'];
  readonly campaign?: Evidence['campaign'];
}

/** A corporate address from a residential IP, first signup of the hour, with changes. */
export function ordinaryEvidence({
  email,
  ip,
  velocity,
  list = null,
  office = null,
  campaign = null,
}: Changes = {}): Evidence {
  return {
    snapshot: 'test',
    email: {
      ...EMPTY_EMAIL,
      domain: 'acme.example',
      mx: { status: 'valid', hosts: ['mx.acme.example'] },
      age: { days: 4_000, status: 'known' },
      ...email,
    },
    ip: ip === null ? null : { ...EMPTY_IP, ...RESIDENTIAL, ...ip },
    velocity: { ...EMPTY_VELOCITY, ip1h: 1, ip24h: 1, domain1h: 1, domain24h: 1, mailbox24h: 1, ...velocity },
    list,
    office,
    campaign,
  };
}

const RESIDENTIAL = { address: '203.0.113.7', countryCode: 'FR', country: 'France', asn: 64_500 };

/** Arbitrary flags and counts, including those of a new fact. */
function anyFacts<Facts extends object>(empty: Facts): Record<string, fc.Arbitrary<unknown>> {
  const facts: Record<string, fc.Arbitrary<unknown>> = {};
  for (const [fact, value] of Object.entries(empty)) {
    if (typeof value === 'boolean') facts[fact] = fc.boolean();
    if (typeof value === 'number') facts[fact] = fc.integer({ min: 0, max: 60 });
  }
  return facts;
}

const unknown = fc.constantFrom([], ['mx'], ['age', 'dnsbl:zone.example']);
const hits = fc.constantFrom(
  [],
  [{ fact: 'disposable', source: 'mail-host', entry: 'mx.acme.example' }],
  [{ fact: 'tor', source: 'tor-exits', entry: '203.0.113.7', version: '2026-11-01' }],
);

const tenths = (limit: number) =>
  fc.integer({ min: -10 * limit, max: 10 * limit }).map((value) => value / 10);

/** With a stem or without one; nothing known in one of six. */
const anyName: fc.Arbitrary<NameFacts> = fc.option(
  fc
    .record({
      odds: tenths(20),
      strangeness: tenths(9),
      known: fc.constantFrom(...KNOWN),
      mask: fc.constantFrom('l5', 'l8d4', 'l1.l1.l1.l1*', '?', 'x10', 'd11'),
      stem: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
      stemLetters: fc.integer({ min: 1, max: 35 }),
    })
    .map((name) => (name.stem === 0 ? { ...name, stemLetters: 0 } : name)),
  { nil: NO_NAME },
);

const anyEmail: fc.Arbitrary<Partial<Evidence['email']>> = fc.record({
  ...anyFacts(EMPTY_EMAIL),
  standing: fc.constantFrom(...STANDINGS),
  victim: fc.constantFrom(...VICTIMS),
  name: anyName,
  sharedSuffix: fc.constantFrom('', 'ddns.net'),
  providerMeant: fc.constantFrom('', 'gmail.com'),
  disposableHost: fc.constantFrom(EMPTY_EMAIL.disposableHost, {
    name: 'mx.acme.example',
    matched: '*.acme.example',
    serves: 3,
  }),
  hits,
  unknown,
  mx: fc.constantFrom(
    { status: 'valid' as const, hosts: ['mx.acme.example'] },
    ...(['none', 'null_mx', 'no_domain', 'unknown'] as const).map((status) => ({ status, hosts: [] })),
    { status: 'unknown' as const, hosts: [], unanswered: true },
  ),
  age: fc.constantFrom(
    { days: -1, status: 'late' as const },
    { days: -1, status: 'unavailable' as const },
    { days: 3, status: 'known' as const },
    { days: 20, status: 'known' as const },
    { days: 900, status: 'known' as const },
  ),
});

const anyIp: fc.Arbitrary<Partial<NonNullable<Evidence['ip']>>> = fc.record({
  ...anyFacts(EMPTY_IP),
  sharedPlace: fc.constantFrom(...SHARED_PLACES),
  abuseScore: fc.integer({ min: 0, max: 100 }),
  countryCode: fc.constantFrom('', 'FR'),
  country: fc.constantFrom('', 'France'),
  asn: fc.constantFrom(0, 64_500),
  hits,
  unknown,
});

const anyList: fc.Arbitrary<NonNullable<Evidence['list']>> = fc.record({
  id: fc.constant('lst_1'),
  action: fc.constantFrom('allow' as const, 'deny' as const),
  kind: fc.constant('domain' as const),
  value: fc.constant('acme.example'),
  reason: fc.constant(null),
});

const anyOffice: fc.Arbitrary<NonNullable<Evidence['office']>> = fc.record({
  id: fc.constant('lst_2'),
  kind: fc.constantFrom('domain_network' as const, 'ip' as const, 'cidr' as const),
  value: fc.constantFrom('acme.example + 203.0.113.7', '203.0.113.7', '203.0.113.0/24'),
  reason: fc.constantFrom(null, 'headquarters'),
});

const anyCampaign: fc.Arbitrary<NonNullable<Evidence['campaign']>> = fc.record({
  id: fc.constant('cmp_01krhqx8r0aaaaaaaaaaaaaaaa'),
  scope: fc.constantFrom(...CAMPAIGN_SCOPES),
  scopeText: fc.constantFrom('', 'acme.example', '203.0.113.0/24', '203.0.113.7'),
  mark: fc.constantFrom(...CAMPAIGN_MARKS),
  markText: fc.constantFrom('', '12', 'l8d4'),
  members: fc.integer({ min: 1, max: 5_000 }),
  usual: fc.constantFrom(0, 0.0125, 0.8),
  decades: fc.integer({ min: 0, max: 400 }).map((tenths) => tenths / 10),
  families: fc.subarray([...CAMPAIGN_FAMILIES]),
  sure: fc.boolean(),
  confirmed: fc.boolean(),
});

export const anyEvidence: fc.Arbitrary<Evidence> = fc
  .record({
    email: anyEmail,
    ip: fc.option(anyIp),
    velocity: fc.record({
      ...anyFacts(EMPTY_VELOCITY),
      broughtBy: fc.constantFrom('' as const, ...BROUGHT_BY),
    }) as fc.Arbitrary<Partial<Evidence['velocity']>>,
    list: fc.option(anyList, { freq: 8 }),
    office: fc.option(anyOffice, { freq: 4 }),
    campaign: fc.option(anyCampaign, { freq: 4 }),
  })
  .map(ordinaryEvidence);
