/** Fills a store with rows of every kind, with difficult texts. */
import { createHash } from 'node:crypto';
import { createMakeId } from '../../src/contract/identifiers.ts';
import type { LearnedCampaign } from '../../src/model/campaign.ts';
import type { Store } from '../../src/store/store.ts';
import { aLearnedCampaign } from './a-campaign.ts';
import { aDestination } from './a-destination.ts';
import { aKey } from './a-key.ts';
import { aConnection, accountsToHold, aTakeBackJob } from './a-take-back.ts';
import { aUsualDomain } from './a-usual-domain.ts';
import { aSighting } from './an-alert.ts';
import { joinAccount } from './join-account.ts';

/** NUL, a lone surrogate, escaped characters, and a four-byte character. */
export const ODD = 'nul \u0000 lone \ud800 slash \\u0000 quote " line \n emoji 🦊 ß';

const DAY_MS = 86_400_000;
const REASONS = [[], ['email_alias'], ['ip_hosting', 'email_alias']] as const;

export interface Filled {
  readonly accountId: string;
  readonly assessments: readonly { readonly requestId: string }[];
}

/** @param count of assessments, the oldest three months old */
export async function fillStore(store: Store, count: number, now: number): Promise<Filled> {
  const makeId = createMakeId();
  const accountId = makeId('acc', now);
  const deletedId = makeId('acc', now);
  for (const id of [accountId, deletedId])
    await store.saveAccount({
      id,
      name: 'Füchse 🦊 & Söhne',
      plan: 'business',
      overage: true,
      monthlyQuota: 50_000,
      requestsPerSecond: null,
      timeZone: 'UTC',
      thresholds: { challenge: 20, block: 80 },
      createdAt: now,
    });
  await store.beginAccountDeletion(deletedId, now);
  await store.finishAccountDeletion(deletedId);
  const keyId = makeId('key', now);
  const [hash, newHash] = [digest(keyId), digest(`${keyId} rotated`)] as const;
  const allowedRanges = ['203.0.113.0/24', '2001:db8::/32'];
  const expiresAt = now + 86_400_000;
  await store.saveKey(
    aKey({ id: keyId, accountId, enforcedShare: 10, hash, createdAt: now, expiresAt, allowedRanges }),
  );
  await store.rotateKey(keyId, {
    hash: newHash,
    prefix: 'sk_live_wxyz',
    at: now + 1,
    previousUntil: now + 9,
  });
  await store.storeLastUses('keys', new Map([[hash, now + 5]]));
  await store.saveHook({
    id: makeId('hk', now),
    accountId,
    provider: 'supabase',
    name: 'form',
    mode: 'live',
    secrets: { current: 'encrypted', previous: { text: 'older', until: now } },
    reach: 'public',
    challengeAs: 'allow',
    onError: 'deny',
    createdAt: now,
    lastUsedAt: null,
    revokedAt: now,
  });
  await store.saveToken({
    id: makeId('tok', now),
    name: 'terraform',
    hash: digest('token'),
    prefix: 'gatehouse_token_Ab3x',
    scopes: ['keys:read', 'lists:write'],
    accountId,
    createdBy: ODD,
    createdAt: now,
    expiresAt: now + DAY_MS,
    lastUsedAt: now,
    revokedAt: null,
  });
  const assessments = await record(store, count, { accountId, keyId, now });
  for (const { requestId } of assessments.filter((_, index) => index % 50 === 0)) {
    await store.saveFeedback({ requestId, outcome: 'false_positive', note: ODD, keyId, at: now });
  }
  for (const { requestId } of assessments.filter((_, index) => index % 70 === 0)) {
    const challenge = { requestId, accountId, expiresAt: now, at: now };
    await store.openChallenge({ ...challenge, returnUrl: ODD });
    await store.redeemChallenge({ ...challenge, status: 'passed', method: 'link', redeemer: null });
  }
  await fillTold(store, accountId, now);
  await fillCampaigns(store, accountId, now);
  await fillOutcomes(store, accountId, assessments[0]?.requestId ?? '', now);
  await store.saveMailboxUses(
    ['', ' tag', ' dots'].map((spelling) => {
      const hashes = { mailbox: digest('mailbox'), address: digest(`mailbox${spelling}`) };
      return { ...hashes, accountId, at: now, isBlocked: spelling === ' tag' };
    }),
  );
  await fillLists(store, accountId, now);
  await fillPeople(store, accountId, now);
  await store.decideHosts({ keys: ['*.a.example'], forget: [], neverFlag: true, by: ODD, at: now });
  // Stands for the secret itself: an encrypted key would need the secret of the target installation.
  await store.addHashKey({ encrypted: null, createdAt: now });
  const erased = { account: accountId, hashes: [digest('one'), digest('two')], until: now };
  await store.noteErasure(erased, 'jo@example.com');
  await store.endErasure(erased, now + 1);
  store.cache.set('rdap odd', ODD, now + DAY_MS);
  return { accountId, assessments };
}

/** So long that a few hundred of them fill a migration batch. */
export const factsAt = (index: number) => JSON.stringify([ODD, index, 'x'.repeat(8_000)]);

async function record(
  store: Store,
  count: number,
  { accountId, keyId, now }: { accountId: string; keyId: string; now: number },
) {
  const makeId = createMakeId();
  const made = Array.from({ length: count }, (_, index) => {
    const at = Math.floor(now - 90 * DAY_MS * (1 - index / count));
    const requestId = makeId('req', at);
    return {
      requestId,
      index,
      at,
    };
  });
  await Promise.all(
    made.map(async ({ requestId, index, at }) => {
      const reasons = REASONS[index % REASONS.length] ?? [];
      const mode = index % 10 === 0 ? 'test' : 'live';
      const key = {
        accountId,
        mode,
        operation: 'assessSignup',
        keyHash: digest(`key ${index}`),
        bodyDigest: digest(`body ${index}`),
      } as const;
      const claim = index % 20 === 7 ? { ...key, requestId, at } : null;
      if (claim !== null) await store.claimKey(claim);
      return store.record({
        requestId,
        accountId,
        keyId,
        mode,
        shadow: index % 11 === 0,
        at,
        verdict: reasons.length === 0 ? 'allow' : 'challenge',
        score: index % 100,
        reasons,
        emailDomain: `d${index % 400}.example`,
        addressHash: digest(`address ${index % 900}`),
        mailboxHash: digest(`mailbox ${index % 800}`),
        emailMasked: 'j***@example.com',
        email: index % 7 === 0 ? `jürgen${index}@bücher.example` : null,
        ip: index % 3 === 0 ? null : `203.0.113.${index % 250}`,
        network: index % 3 === 0 ? null : `203.0.113.${index % 250}`,
        countryCode: 'FR',
        asn: 4_200_000_000,
        sessionId: index % 5 === 0 ? `${ODD} ${index}` : null,
        processedMs: index % 90,
        weights: reasons.map((code) => (code === 'email_alias' ? 12.5 : 30.5)),
        facts: factsAt(index),
        cap: null,
        claim,
      });
    }),
  );
  return made.map(({ requestId }) => ({ requestId }));
}

async function fillLists(store: Store, accountId: string, now: number): Promise<void> {
  const makeId = createMakeId();
  const ids: string[] = [];
  for (let index = 0; index < 30; index += 1) {
    const id = makeId('lst', now);
    ids.push(id);
    await store.saveListEntry({
      id,
      accountId,
      action: index % 2 === 0 ? 'allow' : 'deny',
      kind: 'domain',
      value: `d${index}.example`,
      shown: `d${index}.example`,
      reason: index % 3 === 0 ? ODD : null,
      author: ODD,
      createdAt: now,
      expiresAt: index % 4 === 0 ? now + DAY_MS : null,
      hits: 0,
      lastHitAt: null,
    });
  }
  for (const id of ids.slice(0, 5)) await store.removeListEntry(id);
  await store.addListHits(new Map([[ids[7] as string, { hits: 12, at: now + 9 }]]));
}

/** A destination, and with it events and deliveries of all that follows; and an alert. */
async function fillTold(store: Store, accountId: string, now: number): Promise<void> {
  await store.saveDestination(aDestination(accountId, { name: ODD }));
  const sighting = aSighting(accountId, { at: now, note: ODD });
  await store.seeAlert(createMakeId()('alr', now), sighting, ({ id }) => ({ id }));
}

async function fillCampaigns(store: Store, accountId: string, now: number): Promise<void> {
  const [open, confirmed, dismissed] = ['open.example', 'confirmed.example', 'dismissed.example'].map(
    (domain) => aLearnedCampaign(accountId, domain, { since: now, decades: 12.3, usual: 0.000_123 }),
  ) as [LearnedCampaign, LearnedCampaign, LearnedCampaign];
  for (const campaign of [open, confirmed, dismissed]) await store.saveLearned(campaign);
  for (const domain of ['uni.example', 'firm.example'])
    await store.saveUsualDomain(aUsualDomain(accountId, domain, { lastAt: now }));
  const change = { by: ODD, note: ODD, at: now + 7 };
  await store.decideCampaign(accountId, dismissed.id, { ...change, action: 'dismiss' });
  const report = { campaignId: open.id, accountId, requestId: createMakeId()('req', now), at: now + 8 };
  const undo = {
    id: 'act_1',
    accountId,
    attack: open.id,
    at: now + 8,
    undo: { reports: [], entries: [], decisions: [] },
  };
  const audit = {
    at: now + 8,
    by: ODD,
    accountId,
    action: 'campaign.confirm',
    target: confirmed.id,
    detail: ODD,
  };
  await store.decideCampaign(accountId, confirmed.id, { ...change, action: 'confirm' }, { ...audit, undo });
  const claim = { accountId, id: 'rcl_1', holder: 'a', now, leaseUntil: now, since: now, until: now };
  const { requestId } = report;
  await store.saveAppeal(
    { requestId, accountId, mode: 'live', text: 'sealed', at: now, expiresAt: now + DAY_MS },
    3,
  );
  const recalled = { requestId: report.requestId, at: now, oldVerdict: 'allow', oldScore: 0 } as const;
  const found = {
    newVerdict: 'block',
    newScore: 90,
    cause: 'feed',
    causeId: ODD,
    finding: 'tor_exit',
  } as const;
  const progress = { reachedAt: now, judged: 1, isPartial: true, leaseUntil: now };
  await store.beginRecall(claim, '2026-05-10');
  await store.saveRecalled(claim, [{ ...recalled, ...found }], progress, now);
  const flip = {
    accountId,
    requestId: recalled.requestId,
    at: now,
    oldVerdict: 'allow',
    newVerdict: 'block',
  } as const;
  await store.saveFeedFlips(ODD, ODD, [flip]);
  const connection = aConnection(accountId, { name: ODD, kind: 'keycloak', clientId: ODD, realm: ODD });
  await store.saveConnection(connection);
  const job = aTakeBackJob(accountId, {
    connectionId: connection.id,
    name: ODD,
    attack: open.id,
    state: 'done',
  });
  await store.saveTakeBack(job, accountsToHold(3, now));
  await store.saveCampaignReport({ ...report, outcome: 'confirmed_fraud' });
}

/** Outcomes of a signup of the account. */
async function fillOutcomes(store: Store, accountId: string, requestId: string, now: number): Promise<void> {
  const signup = { requestId, accountId, mode: 'live', assessedAt: now, domain: 'shop.example' } as const;
  const common = { ...signup, campaignId: 'cmp_1', at: now, keyId: 'key_1', label: null } as const;
  const bounced = { ...common, outcome: 'bounced' } as const;
  await store.saveOutcomes([{ ...common, outcome: 'verified' }, bounced]);
}

async function fillPeople(store: Store, accountId: string, now: number): Promise<void> {
  const makeId = createMakeId();
  const operator = {
    id: makeId('usr', now),
    email: 'jo@example.com',
    name: 'Jo 🦊',
    passwordHash: '$argon2id$x',
  };
  await store.saveLink({
    tokenHash: digest('first'),
    purpose: 'first',
    userId: null,
    expiresAt: now + DAY_MS,
  });
  await store.claimOperator(operator, digest('first'), now);
  await store.saveLink({
    tokenHash: digest('reset'),
    purpose: 'reset',
    userId: operator.id,
    expiresAt: now + DAY_MS,
  });
  await joinAccount(store, { userId: operator.id, accountId, role: 'owner' });
  await store.signInByIdentity({
    identity: { issuer: 'https://login.example', subject: ODD },
    userId: operator.id,
    isKnown: false,
    roles: [
      {
        accountId,
        before: { role: 'owner', byGroups: false, handRole: null },
        after: { role: 'owner', byGroups: true, handRole: 'owner' },
      },
    ],
    endsSessions: false,
    now,
  });
  const query = 'verdict=block&period=7d';
  await store.saveFilter({ id: 'flt_1', accountId, userId: operator.id, name: ODD, query });
  await store.saveInvitation({
    id: makeId('inv', now),
    tokenHash: digest('invitation'),
    email: `${ODD}@example.com`,
    accountId,
    role: 'member',
    invitedBy: ODD,
    expiresAt: now + DAY_MS,
    acceptedAt: null,
  });
  for (const note of ['first', ODD]) {
    await store.savePolicy({ accountId, weights: { tor: 12.5 }, createdAt: now, author: ODD, note });
  }
  for (const account of [accountId, null]) {
    await store.audit({ at: now, by: ODD, accountId: account, action: 'changed', target: ODD, detail: ODD });
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
