/** Judging again gives what a signup with the same evidence would get now: by lists, feeds, waves and labels. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aLearnedCampaign, asOpened } from '../../../test/support/a-campaign.ts';
import { aUsualDomain } from '../../../test/support/a-usual-domain.ts';
import { anAssessment } from '../../../test/support/an-assessment.ts';
import { FEEDS_BASELINE } from '../../../test/support/small-build.ts';
import { createAddressHashes } from '../../address/fingerprint.ts';
import { createGather, type GatherOptions, type Subject } from '../../evidence/gather.ts';
import { createGatherEmail } from '../../evidence/gather-email.ts';
import { createGatherStored } from '../../evidence/gather-stored.ts';
import { type AccountLists, createAccountLists } from '../../evidence/list-accounts.ts';
import { createMailHosts } from '../../evidence/mail-hosts.ts';
import { createMemoryTexts } from '../../evidence/memory-texts.ts';
import { compileWithFeeds } from '../../intel/compile-feeds.ts';
import type { AppliedFeed } from '../../intel/feed.ts';
import { FEEDS } from '../../intel/feeds.ts';
import type { Intel } from '../../intel/intel.ts';
import { readSnapshot } from '../../intel/snapshot.ts';
import { createTypingMistakes } from '../../intel/typing-mistake.ts';
import { EMPTY_EMAIL, EMPTY_IP, type Evidence } from '../../model/evidence.ts';
import type { ListChange, ListEntry } from '../../model/list-entry.ts';
import { DEFAULT_THRESHOLDS, type Policy } from '../../model/policy.ts';
import { plainVoices } from '../../model/velocity-event.ts';
import type { RecalledSignup } from '../../store/recall-store.ts';
import type { StoredAssessment } from '../../store/stored-assessment.ts';
import { createCampaignIndex } from '../../waves/campaign-index.ts';
import { hexOf } from '../../waves/group-key.ts';
import { memberKeys } from '../../waves/member-keys.ts';
import { createUsualIndex } from '../../waves/usual-index.ts';
import { ERASED_DOMAIN } from '../anonymize.ts';
import { writeFacts } from '../facts.ts';
import { judge } from '../judge.ts';
import { severityChange } from '../label-effect.ts';
import { DEFAULT_POLICY } from '../policy.ts';
import { readSignupAttempt, toSubject } from '../prepare-signup.ts';
import { createJudgeAgain } from './judge-again.ts';

const AT = Date.UTC(2026, 4, 10, 10, 0);
const NOW = AT + 9 * 86_400_000;
const ACCOUNT = 'acc_a';
const HASHES = createAddressHashes([Buffer.alloc(32, 7)]);
const POLICY: Policy = { ...DEFAULT_POLICY, thresholds: DEFAULT_THRESHOLDS };

function compiled(feeds: Readonly<Record<string, readonly string[]>>): Intel {
  const applied = Object.entries(feeds).map(([id, entries]): AppliedFeed => {
    const feed = FEEDS.find((row) => row.id === id);
    if (feed === undefined) throw new Error(`no feed ${id}`);
    const parsed = { entries, rows: entries.length, errors: 0 };
    return { feed, version: 'test', fetchedAt: 0, parsed, departed: [] };
  });
  return readSnapshot(compileWithFeeds(readFileSync(FEEDS_BASELINE), applied, 0).bytes);
}

const SNAPSHOTS = {
  none: compiled({}),
  domains: compiled({ 'disposable-curated': ['trashy-post.com', 'mail.harbour-firm.com'] }),
  networks: compiled({ 'tor-exits': ['93.184.216.34'], 'drop-v4': ['151.101.1.0/24'] }),
  both: compiled({
    'disposable-curated': ['trashy-post.com'],
    'disposable-mx': ['harbour-firm.com'],
    'referrer-spam': ['shop-firm.com'],
    'vpn-ipv4': ['93.184.216.0/24'],
  }),
};

const ADDRESSES = [
  'jo@trashy-post.com',
  'jo.doe+a@mail.harbour-firm.com',
  'qkzxwvt83@harbour-firm.com',
  'kim@shop-firm.com',
  'x9f3kq2@gmail.com',
  'admin@old-firm.com',
  'jo@gmial.com',
] as const;
const IPS = ['93.184.216.34', '151.101.1.7', '79.192.1.2', null] as const;
const EXCHANGES: Readonly<Record<string, readonly string[]>> = {
  'harbour-firm.com': ['smtp.google.com'],
  'mail.harbour-firm.com': ['mx.trashy-post.com'],
  'shop-firm.com': ['smtp.google.com'],
  'old-firm.com': [],
};
const AGES: Readonly<Record<string, number>> = {
  'harbour-firm.com': 4_000,
  'shop-firm.com': 9,
  'old-firm.com': 5_000,
};

interface Knowledge {
  readonly snapshot: keyof typeof SNAPSHOTS;
  readonly entries: readonly Pick<ListEntry, 'action' | 'kind' | 'value'>[];
  /** Address and IP of a signup that belongs to an open wave; `null`: there is none. */
  readonly wave: { readonly address: string; readonly sure: boolean } | null;
  readonly good: readonly string[];
}

const anEntry = fc.record({
  action: fc.constantFrom('allow' as const, 'deny' as const, 'deny' as const),
  value: fc.constantFrom(
    'trashy-post.com',
    'gmail.com',
    '93.184.216.34',
    '151.101.1.0/24',
    'jo@trashy-post.com',
  ),
});
const knowledge: fc.Arbitrary<Knowledge> = fc.record({
  snapshot: fc.constantFrom(...(Object.keys(SNAPSHOTS) as (keyof typeof SNAPSHOTS)[])),
  entries: fc
    .array(anEntry, { maxLength: 2 })
    .map((rows) => rows.map(({ action, value }) => ({ action, ...toListed(value) }))),
  wave: fc.option(fc.record({ address: fc.constantFrom(...ADDRESSES), sure: fc.boolean() })),
  good: fc.subarray(['trashy-post.com', 'harbour-firm.com']),
});

function toListed(value: string): Pick<ListEntry, 'kind' | 'value'> {
  if (value.includes('@')) return { kind: 'mailbox', value: HASHES(value) };
  if (value.includes('/')) return { kind: 'cidr', value };
  return /^[\d.]+$/.test(value) ? { kind: 'ip', value } : { kind: 'domain', value };
}

async function listsOf(entries: Knowledge['entries']): Promise<AccountLists> {
  const saved = entries.map((entry, at): ListChange => {
    const row = { id: `lst_${at}`, accountId: ACCOUNT, shown: entry.value, reason: null, author: 'jo' };
    return { saved: { ...entry, ...row, createdAt: 0, expiresAt: null, hits: 0, lastHitAt: null } };
  });
  const lists = createAccountLists({
    listsVersion: async () => saved.length,
    async *listChangesSince() {
      yield* saved;
    },
    addListHits: async () => {},
  });
  await lists.refresh();
  return lists;
}

/** Lists, feeds and other knowledge of one time, which assess and a recall share. */
async function worldOf({ snapshot, entries, wave, good }: Knowledge) {
  const usual = createUsualIndex();
  usual.put(aUsualDomain(ACCOUNT, 'old-firm.com'));
  const index = createCampaignIndex({
    source: {
      campaignsVersion: async () => 0,
      async *campaignChangesSince() {},
      async *usualDomainsSince() {},
    },
    usual,
  });
  if (wave !== null) {
    const { key, scope } = groupOf(wave.address);
    const decades = wave.sure ? 30 : 9.4;
    index.put(asOpened(aLearnedCampaign(ACCOUNT, 'wave', { key, scope, decades, members: 60 })));
  }
  const intel = () => SNAPSHOTS[snapshot];
  return {
    intel,
    ownLists: await listsOf(entries),
    campaigns: {
      find: (subject: Subject, email: Evidence['email'], ip: Evidence['ip']) =>
        index.find(subject.account, (kinds) => memberKeys(subject, email, ip, kinds)),
      usual: usual.find,
    },
    goodReports: { isGood: (_: string, domain: string) => good.includes(domain) },
  };
}

const mailHosts = createMailHosts({
  minListed: null,
  client: { query: () => undefined },
  texts: createMemoryTexts(),
  clock: () => NOW,
});

function gatherOf({
  goodReports,
  ...world
}: Omit<Awaited<ReturnType<typeof worldOf>>, 'campaigns'> & Pick<GatherOptions, 'campaigns'>) {
  const gatherEmail = createGatherEmail({
    mailExchange: {
      lookup(domain) {
        const hosts = EXCHANGES[domain] ?? ['mx.elsewhere.example'];
        return hosts.length === 0 ? { status: 'none', hosts } : { status: 'valid', hosts };
      },
    },
    domainAge: {
      lookup(domain) {
        const days = AGES[domain] ?? -1;
        return days < 0 ? { days, status: 'unlisted' } : { days, status: 'known' };
      },
    },
    mailHosts,
    typingMistakes: createTypingMistakes(),
    goodReports,
    domainReputation: undefined,
  });
  const options = { ...world, goodReports, gatherEmail, ipReputation: undefined, observe: () => {} };
  return createGather(options);
}

interface Signup {
  readonly address: string;
  readonly ip: string | null;
  /** Signups of its network and addresses of its domain within the hour. */
  readonly crowd: number;
}

const signups: fc.Arbitrary<Signup> = fc.record({
  address: fc.constantFrom(...ADDRESSES),
  ip: fc.constantFrom(...IPS),
  crowd: fc.constantFrom(1, 4, 9),
});

function subjectOf({ address, ip }: Signup, at: number): Subject {
  const attempt = readSignupAttempt({ email: address, ...(ip !== null && { ip }) });
  return toSubject(attempt, { id: 'req_1', account: ACCOUNT, at }, HASHES);
}

async function assess(signup: Signup, world: Awaited<ReturnType<typeof worldOf>>, at: number) {
  const { crowd } = signup;
  const counts = {
    network1h: crowd,
    network24h: crowd,
    domain1h: crowd,
    domain24h: crowd,
    mailbox24h: 1,
    partial: false,
  };
  const evidence = await gatherOf(world)(subjectOf(signup, at), { counts, voices: plainVoices(counts) });
  return { evidence, judgement: judge(evidence, POLICY) };
}

/** Key of a wave that the address would belong to, and its scope. */
function groupOf(address: string) {
  const subject = subjectOf({ address, ip: null, crowd: 1 }, AT);
  const email = {
    ...EMPTY_EMAIL,
    domain: subject.domain,
    name: subject.name,
    mx: { status: 'valid' as const, hosts: ['x.example'] },
  };
  const consumer = subject.domain === 'gmail.com';
  const scope = consumer ? ('provider' as const) : ('domain' as const);
  const [key] = memberKeys(subject, { ...email, consumer }, null, new Set([scope]));
  return { key: hexOf(key ?? { low: 1, high: 1 }), scope };
}

function stored(
  signup: Signup,
  { evidence, judgement }: Awaited<ReturnType<typeof assess>>,
): StoredAssessment {
  const subject = subjectOf(signup, AT);
  const { findings, reasons, verdict, score } = judgement;
  const facts = { policy: POLICY.version, thresholds: POLICY.thresholds, findings, evidence };
  const ipStatus = evidence.ip === null ? ('missing' as const) : ('ok' as const);
  return {
    ...anAssessment({ at: AT, accountId: ACCOUNT, verdict, score, reasons, emailDomain: subject.domain }),
    addressHash: subject.addressHash,
    mailboxHash: subject.mailbox,
    ip: signup.ip,
    network: subject.network,
    countryCode: evidence.ip?.countryCode ?? '',
    asn: evidence.ip?.asn ?? 0,
    facts: writeFacts({ ...facts, ipStatus, local: '', challenge: undefined }, reasons),
  };
}

async function recall(
  signup: StoredAssessment,
  world: Awaited<ReturnType<typeof worldOf>>,
  policy = POLICY,
): Promise<RecalledSignup | null> {
  const gatherStored = createGatherStored({ ...world, mailHosts });
  return createJudgeAgain({ gatherStored, policyOf: () => policy })(signup, NOW);
}

const NOTHING: Knowledge = { snapshot: 'none', entries: [], wave: null, good: [] };
const then = async (signup: Signup, known: Partial<Knowledge> = {}) =>
  stored(signup, await assess(signup, await worldOf({ ...NOTHING, ...known }), AT));
const now = (known: Partial<Knowledge>) => worldOf({ ...NOTHING, ...known });

describe('judging again', () => {
  it('gives the verdict and score that assess would give now, or nothing where it is not stricter', async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(signups, knowledge, knowledge, async (signup, before, after) => {
        const past = stored(signup, await assess(signup, await worldOf(before), AT));
        const world = await worldOf(after);
        const { judgement } = await assess(signup, world, NOW);
        const recalled = await recall(past, world);
        const wasAllowed = past.facts.includes('"allow"');
        if (severityChange(past.verdict, judgement.verdict) <= 0 || wasAllowed) {
          expect(recalled).toBeNull();
          return;
        }
        found += 1;
        const { verdict: newVerdict, score: newScore } = judgement;
        expect(recalled).toMatchObject({ newVerdict, newScore, oldVerdict: past.verdict });
      }),
      { numRuns: 150 },
    );
    expect(found).toBeGreaterThan(8);
  });

  it('finds nothing where nothing came to be known', async () => {
    await fc.assert(
      fc.asyncProperty(signups, knowledge, async (signup, known) => {
        const past = stored(signup, await assess(signup, await worldOf(known), AT));
        expect(await recall(past, await worldOf(known))).toBeNull();
      }),
      { numRuns: 80 },
    );
  });

  const HARBOUR: Signup = { address: 'jo@harbour-firm.com', ip: '79.192.1.2', crowd: 1 };
  const TRASH: Signup = { ...HARBOUR, address: 'jo@trashy-post.com' };

  it('names the list entry, the feed, the wave, the label or the policy as the cause', async () => {
    const causeOf = async (past: StoredAssessment, known: Partial<Knowledge>, policy = POLICY) => {
      const { cause, causeId, finding } = (await recall(past, await now(known), policy)) ?? {};
      return [cause, causeId, finding];
    };
    const deny = { action: 'deny', kind: 'mailbox', value: HASHES('jo@trashy-post.com') } as const;
    expect(await causeOf(await then(TRASH), { entries: [deny] })).toEqual(['list', 'lst_0', 'deny_list']);
    expect(await causeOf(await then(TRASH), { snapshot: 'domains' })).toEqual([
      'feed',
      'disposable-curated',
      expect.stringMatching(/^disposable/),
    ]);
    const tor = { ...HARBOUR, ip: '93.184.216.34' };
    expect(await causeOf(await then(tor), { snapshot: 'networks' })).toEqual([
      'feed',
      'tor-exits',
      'tor_exit',
    ]);
    const wave = { address: 'qkzxwvt83@shop-firm.com', sure: true };
    const shop: Signup = { ...HARBOUR, address: wave.address };
    const [cause, id, finding] = await causeOf(await then(shop), { wave });
    expect([cause, finding]).toEqual(['campaign', 'wave_domain']);
    expect(id).toMatch(/^cmp_/);
    const labelled = await then(TRASH, { snapshot: 'domains', good: ['trashy-post.com'] });
    expect(await causeOf(labelled, { snapshot: 'domains' })).toEqual([
      'label',
      '',
      expect.stringMatching(/^disposable/),
    ]);
    const strict = { ...POLICY, thresholds: { challenge: 1, block: 1 } };
    const role: Signup = { ...HARBOUR, address: 'admin@old-firm.com' };
    expect((await causeOf(await then(role), {}, strict))[0]).toBe('policy');
  });

  it('lists nobody whom an Allow list lets in, now or then, and keeps a shared office', async () => {
    const allow = { action: 'allow', kind: 'domain', value: 'trashy-post.com' } as const;
    const listed = { snapshot: 'domains', entries: [allow] } as const;
    expect(await recall(await then(TRASH), await now(listed))).toBeNull();
    expect(
      await recall(await then(TRASH, { entries: [allow] }), await now({ snapshot: 'domains' })),
    ).toBeNull();
    const crowd = await assess({ ...HARBOUR, crowd: 9 }, await now({}), AT);
    const office = { id: 'lst_9', kind: 'ip', value: '79.192.1.2', reason: null } as const;
    const evidence = { ...crowd.evidence, office };
    const past = stored(HARBOUR, { evidence, judgement: judge(evidence, POLICY) });
    expect(await recall(past, await now({}))).toBeNull();
  });

  it('keeps what reputation services, DNS and registries said', async () => {
    const { evidence } = await assess(HARBOUR, await now({}), AT);
    const hit = { fact: 'abuse', source: 'abuseipdb', entry: '79.192.1.2' };
    const spam = { fact: 'spam', source: 'dnsbl:dbl.example', entry: 'harbour-firm.com' };
    const reported = {
      ...evidence,
      email: { ...evidence.email, spam: true, hits: [...evidence.email.hits, spam] },
      ip: { ...EMPTY_IP, ...evidence.ip, abuseScore: 35, hits: [hit] },
    };
    const past = stored(HARBOUR, { evidence: reported, judgement: judge(reported, POLICY) });
    const again = await createGatherStored({ ...(await now({})), mailHosts })(past, reported, NOW);
    expect(judge(again, POLICY)).toEqual(judge(reported, POLICY));
    expect(again.ip).toEqual(reported.ip);
  });

  it('skips an erased person', async () => {
    const past = { ...(await then(TRASH)), emailDomain: ERASED_DOMAIN };
    expect(await recall(past, await now({ snapshot: 'domains' }))).toBeNull();
  });
});
