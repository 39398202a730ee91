/** The learner of waves gets the same facts of a stored signup as when the signup was judged. */
import { expect, it } from 'vitest';
import { generateMonth } from '../bench/wave-parts/month.mjs';
import { createAddressHashes } from '../src/address/fingerprint.ts';
import { createGather, type Gather, type Subject } from '../src/evidence/gather.ts';
import { createGatherEmail } from '../src/evidence/gather-email.ts';
import { UNASSOCIATED } from '../src/evidence/mail-host-facts.ts';
import { BASELINE_FILE } from '../src/intel/bundled-snapshot.ts';
import { openSnapshot } from '../src/intel/snapshot.ts';
import { createTypingMistakes } from '../src/intel/typing-mistake.ts';
import type { DomainAge, Evidence, MailExchange } from '../src/model/evidence.ts';
import { DEFAULT_THRESHOLDS } from '../src/model/policy.ts';
import { anonymize, ERASED_DOMAIN } from '../src/signup/anonymize.ts';
import { createAssessSignup } from '../src/signup/assess-signup.ts';
import { blankPersonalData } from '../src/signup/blank-personal-data.ts';
import { createIdempotency } from '../src/signup/idempotency.ts';
import type { SignupRequest } from '../src/signup/prepare-signup.ts';
import { createQuota } from '../src/signup/quota.ts';
import { createRateLimiter } from '../src/signup/rate-limit.ts';
import type { SignupCaller } from '../src/signup/signup-caller.ts';
import { toStoredMember } from '../src/signup/stored-member.ts';
import type { StoredAssessment } from '../src/store/stored-assessment.ts';
import { createMemoryCounters } from '../src/velocity/memory/memory.ts';
import { createSteadyCounters } from '../src/velocity/steady-counters.ts';
import { toMember } from '../src/waves/to-member.ts';
import type { WaveMember } from '../src/waves/wave-member.ts';
import { createFakeStore } from './support/fake-store.ts';

const LIMITS = { requestsPerSecond: 1e6, monthlyAssessments: 1e6, cap: null, overagePer1k: 0 };
const CALLER: SignupCaller = {
  account: { id: 'acc_a' },
  key: { id: 'key_a', mode: 'live', enforcedShare: 100 },
  limits: LIMITS,
  thresholds: DEFAULT_THRESHOLDS,
  policy: null,
};
const SANDBOX: SignupCaller = { ...CALLER, key: { id: 'key_t', mode: 'test', enforcedShare: 100 } };
const START = Date.UTC(2026, 4, 10);
const NAMED = { requestId: 'req_01k0q8y5m91111111111111111', addressHash: 'C'.repeat(22) };

/** Spellings, roles, relays, victims, scripts and networks that a month has seldom or never. */
const ODD = [
  'jane.doe77@gmail.com',
  'j.a.n.e.doe@googlemail.com',
  'janedoe@googlemail.com',
  'janedoe+tag@googlemail.com',
  'anything9@jane.fastmail.com',
  'jane@jane.fastmail.com',
  'jane-shop@yahoo.com',
  'support@acme-harbour.com',
  'abuse+7@acme-harbour.com',
  'x7f9q2k1zp@privaterelay.appleid.com',
  '5551234567@vtext.com',
  '12345+jane@users.noreply.github.com',
  'jane@gmial.com',
  'иван1987@yandex.ru',
  '王伟88@qq.com',
  'a.b.c.d.e.f.g.h.i9@acme-harbour.com',
  "o'hara_7@acme-harbour.com",
  `${'abcdefghij'.repeat(5)}123456@acme-harbour.com`,
];

const AGES: readonly DomainAge[] = [
  { days: 3, status: 'known' },
  { days: 200, status: 'known' },
  { days: 4_000, status: 'known' },
  { days: -1, status: 'late' },
];

/** Sources whose answers depend on the domain alone. */
async function createAnswers(): Promise<Gather> {
  const intel = await openSnapshot(BASELINE_FILE);
  const sizeOf = (domain: string) => [...domain].reduce((sum, sign) => sum + sign.charCodeAt(0), 0);
  const mxOf = (domain: string): MailExchange =>
    sizeOf(domain) % 5 === 0
      ? { status: 'none', hosts: [] }
      : { status: 'valid', hosts: [`mx1.host-${sizeOf(domain) % 7}.example`, `mx2.${domain}`] };
  return createGather({
    intel: () => intel,
    gatherEmail: createGatherEmail({
      mailExchange: { lookup: mxOf },
      domainAge: { lookup: (domain) => AGES[sizeOf(domain) % AGES.length] as DomainAge },
      mailHosts: { load: () => undefined, associate: () => UNASSOCIATED },
      typingMistakes: createTypingMistakes(),
      goodReports: { isGood: () => false },
      domainReputation: undefined,
    }),
    ownLists: { find: () => null, findOffice: () => null },
    ipReputation: undefined,
    observe: () => {},
  });
}

interface Judged {
  readonly stored: StoredAssessment;
  /** The member as of its subject and evidence. */
  readonly live: WaveMember;
}

/** Every fifth address is one that most signups of its key have. */
async function createJudging() {
  const gather = await createAnswers();
  const store = createFakeStore();
  const quota = createQuota(store);
  const counters = createSteadyCounters(createMemoryCounters(), () => START);
  let last: { readonly subject: Subject; readonly evidence: Evidence } | undefined;
  let record: StoredAssessment | undefined;
  let signups = 0;
  const isShared = () => signups % 5 === 0;
  const assessSignup = createAssessSignup({
    rateLimiter: createRateLimiter({ counters, quota, onCounted: () => {} }),
    quota,
    idempotency: createIdempotency({
      store,
      fingerprint: (text) => text,
      clock: () => START,
      onReplay: () => {},
      onFault: () => {},
    }),
    hashes: createAddressHashes([Buffer.alloc(32, 7)]),
    partialUntil: () => 0,
    noteAddress: isShared,
    offerChallenge: () => undefined,
    async record({ cap: _, claim: __, ...stored }) {
      record = stored;
      return { outcome: 'recorded', used: 1 };
    },
    storeEmails: false,
    onListed: () => {},
    onMember: () => {},
    onAssessed: () => {},
    async gather(subject, velocity) {
      const evidence = await gather(subject, velocity);
      last = { subject, evidence };
      return evidence;
    },
  });
  return async (message: SignupRequest['message'], caller = CALLER): Promise<Judged> => {
    signups += 1;
    const moment = { requestId: `req_${signups}`, at: START + signups, started: 0 };
    await assessSignup({ caller, message, idempotencyKey: undefined, moment });
    const { subject, evidence } = last as NonNullable<typeof last>;
    const stored = record as StoredAssessment;
    const ip = evidence.ip && { ...evidence.ip, sharedByKey: isShared() };
    const { verdict } = stored;
    const isStopped = verdict !== 'allow';
    const outcome = { isStopped, isLetIn: !isStopped, isBlocked: verdict === 'block' };
    return { stored, live: toMember(subject, evidence.email, ip, outcome) };
  };
}

const judge = await createJudging();

it('is the same for every kind of signup', async () => {
  const { rows } = generateMonth({ seed: 3, size: 1_000 });
  const ips = ['203.0.113.9', '2001:4860:4860::8888', undefined, ...rows.slice(0, 40).map(({ ip }) => ip)];
  const odd = ODD.flatMap((email) => ips.map((ip) => (ip === undefined ? { email } : { email, ip })));
  const step = Math.ceil(rows.length / 1_200);
  const members: WaveMember[] = [];
  for (const { email, ip } of [...odd, ...rows.filter((_, at) => at % step === 0)]) {
    const { stored, live } = await judge({ email, ...(ip !== undefined && { ip }) });
    expect(toStoredMember(stored), email).toEqual(live);
    members.push(live);
  }
  const distinct = (of: (member: WaveMember) => unknown) => new Set(members.map(of)).size;
  expect(distinct(({ domainKind }) => domainKind)).toBe(5);
  expect(distinct(({ victim }) => victim)).toBe(4);
  expect(distinct(({ name }) => name.known)).toBe(5);
  expect(distinct(({ name }) => name.stem)).toBeGreaterThan(100);
  for (const of of [
    ({ isCanonical }: WaveMember) => isCanonical,
    ({ isHosting }: WaveMember) => isHosting,
    ({ isStopped }: WaveMember) => isStopped,
    ({ isBlocked }: WaveMember) => isBlocked,
    ({ mayBeNew }: WaveMember) => mayBeNew,
    ({ range }: WaveMember) => range === null,
    ({ name }: WaveMember) => name.mask === '',
  ])
    expect(distinct(of)).toBe(2);
}, 60_000);

it('has no letters and no number of the address', async () => {
  const { stored, live } = await judge({ email: 'zorvanek8271@acme-harbour.com' });
  expect(JSON.stringify([stored.facts, live.name])).not.toMatch(/zorv|8271/);
});

it('is stopped, but not blocked, where a key in shadow mode would have blocked it', async () => {
  const { stored } = await judge({ email: 'jane77@mailinator.com' });
  expect(toStoredMember(stored)).toMatchObject({ isStopped: true, isLetIn: false, isBlocked: true });
  const observed = toStoredMember({ ...stored, shadow: true });
  expect(observed).toMatchObject({ isStopped: true, isLetIn: true, isBlocked: false });
});

it('is none for the sandbox, for whom somebody brought and for an erased person', async () => {
  const email = 'jane77@acme-harbour.com';
  expect(toStoredMember((await judge({ email }, SANDBOX)).stored)).toBeNull();
  expect(toStoredMember((await judge({ email, brought_by: 'member' })).stored)).toBeNull();
  const { stored } = await judge({ email });
  const erased = anonymize(stored, NAMED);
  expect(erased.emailDomain).toBe(ERASED_DOMAIN);
  expect(toStoredMember(erased)).toBeNull();
});

it('has neither name nor network once personal data are blanked', async () => {
  const { stored, live } = await judge({ email: 'jane77@acme-harbour.com', ip: '203.0.113.9' });
  expect(live.name.stem).not.toBe(0);
  const { name, range, ...rest } = toStoredMember(blankPersonalData(stored)) as WaveMember;
  expect(name).toMatchObject({ mask: '', stem: 0, stemLetters: 0, known: '', strangeness: 0 });
  expect(range).toBeNull();
  expect(live).toMatchObject(rest);
});
