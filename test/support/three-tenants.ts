/** Three accounts, each with people in every role, and with a unique word in every field that a caller can choose. */
import { expect, vi } from 'vitest';
import type { GivenMark } from '../../src/contract/dashboard-customer.ts';
import type { SavedFilterRow } from '../../src/contract/dashboard-saved-filters.ts';
import { MANAGE_SCOPES } from '../../src/model/manage-token.ts';
import { aLearnedCampaign } from './a-campaign.ts';
import { type Browser, claimOperator, join } from './browser.ts';
import { createClient } from './client.ts';
import { type Planted, plant, plantKey } from './plant.ts';
import { plantDelivery } from './plant-delivery.ts';
import { plantTakeBack } from './plant-take-back.ts';
import type { Installation, Service } from './service.ts';
import { withStored } from './stored.ts';

/** Things that a path parameter or a body member can name, and only one account has. */
export const ID_KINDS = [
  'account',
  'request_id',
  'key',
  'hook',
  'list',
  'entry',
  'campaign',
  'attack',
  'destination',
  'event',
  'manage_destination',
  'manage_event',
  'connection',
  'job',
  'filter',
  'user',
  'session',
  'invitation',
  'token',
  'undo',
  'manage_token',
  'email',
] as const;
export type IdKind = (typeof ID_KINDS)[number];
export type Ids = Readonly<Record<IdKind, string>>;

export interface Tenant extends Planted {
  /** The unique word in all data of this account. */
  readonly word: string;
  /** People by role. */
  readonly people: ReadonlyMap<string, Browser>;
  readonly ids: Ids;
  /** A token of the management API with all scopes, bound to the account. */
  readonly token: string;
  /** The secret of its hook, which the provider signs with. */
  readonly hookSecret: string;
  /** Texts that no other account may see. */
  readonly secrets: readonly string[];
}

export interface Tenants {
  readonly service: Service;
  readonly operator: Browser;
  readonly tenants: readonly Tenant[];
}

const WORDS = ['quokka', 'narwhal', 'axolotl'];
/** Every finding challenges the signup. */
const THRESHOLDS = { challenge: 1, block: 100 };

/** `roles`: all roles that a person can have in an account. */
export async function createTenants(installation: Installation, roles: readonly string[]): Promise<Tenants> {
  const fields = { requestsPerSecond: 100_000, thresholds: THRESHOLDS };
  const planted = await Promise.all(WORDS.map((name) => plant(installation, { name, ...fields })));
  await Promise.all(
    planted.map(({ id }, at) => plantKey(installation, id, 'live', { name: WORDS[at] as string })),
  );
  await withStored(installation, async (store) => {
    for (const [at, { id }] of planted.entries())
      await store.saveLearned(campaignOf({ id, word: WORDS[at] as string }));
  });
  const service = await installation.start({ GATEHOUSE_CHALLENGE_MINUTES: '60' });
  const operator = await claimOperator(service);
  const tenants: Tenant[] = [];
  for (const [at, account] of planted.entries()) {
    const word = WORDS[at] as string;
    const people = new Map<string, Browser>();
    for (const role of roles) {
      const invited = { email: `${role}@${word}.example`, account: account.id, role: role as 'owner' };
      people.set(role, await join(operator, service, invited));
    }
    tenants.push(await furnish(installation, service, { ...account, word, people }));
  }
  return { service, operator, tenants };
}

function campaignOf({ id, word }: Pick<Tenant, 'id' | 'word'>) {
  return aLearnedCampaign(id, `farm-${word}.example`);
}

type Unfurnished = Omit<Tenant, 'ids' | 'secrets' | 'hookSecret' | 'token'>;

async function furnish(installation: Installation, service: Service, tenant: Unfurnished): Promise<Tenant> {
  const { id: account, word } = tenant;
  const owner = tenant.people.get('owner') as Browser;
  const { requests, token } = await sendSignups(service, tenant);
  const of = ['--account', account];
  const list = (value: string) =>
    installation.json<{ id: string }>(
      'list',
      'add',
      ...of,
      '--deny',
      `${value}-${word}.example`,
      '--reason',
      `reason-${word}`,
    );
  const [listed, entry] = [await list('listed'), await list('entered')];
  const scopes = MANAGE_SCOPES.flatMap((scope) => ['--scope', scope]);
  const made = await installation.json<{ id: string; token: string }>(
    'token',
    'create',
    '--name',
    word,
    ...of,
    ...scopes,
  );
  const hook = await installation.json<{ id: string; secret: string }>(
    'hook',
    'create',
    ...of,
    '--provider',
    'supabase',
    '--name',
    word,
  );
  // A service learns changes of the command line within a second. This is the last change, so then it knows all of them.
  const hooks = async () => (await owner.send('GET', `/dashboard/api/accounts/${account}/hooks`)).text;
  await vi.waitFor(async () => expect(await hooks()).toContain(hook.id), 30_000);
  const { text } = await owner.send('GET', `/dashboard/api/accounts/${account}/keys`);
  const keys = text.match(/key_[\w-]+/g) ?? [];
  const email = `invited@${word}.example`;
  const invited = { email, account_id: account, role: 'member' };
  const { json } = await owner.send<{ invitation: { id: string } }>(
    ...(['POST', '/dashboard/api/operator/invitations', invited] as const),
  );
  const user = `member@${word}.example`;
  const { userId, session } = await withStored(installation, async (store) => {
    const id = (await store.usersOf(user))[0]?.id as string;
    return { userId: id, session: (await store.sessions(id))[0]?.id as string };
  });
  const member = tenant.people.get('member') as Browser;
  const filter = await member.send<SavedFilterRow>('POST', `/dashboard/api/accounts/${account}/filters`, {
    name: word,
    query: 'verdict=block',
  });
  const [events, managed] = await withStored(installation, async (store) => [
    await plantDelivery(store, account, word),
    await plantDelivery(store, account, word),
  ]);
  const ids = {
    account,
    request_id: requests[0] as string,
    key: keys[0] as string,
    hook: hook.id,
    entry: entry.id,
    campaign: campaignOf(tenant).id,
    attack: campaignOf(tenant).id,
    ...events,
    manage_destination: managed?.destination as string,
    manage_event: managed?.event as string,
    ...(await withStored(installation, (store) => plantTakeBack(store, account, word))),
    filter: filter.json.id,
    list: listed.id,
    user: userId,
    session,
    invitation: json.invitation.id,
    token,
    undo: await undoOf(owner, { account, request_id: requests[2] as string }),
    manage_token: made.id,
    email: user,
  };
  const secrets = [word, ...Object.values(ids), ...requests, ...keys];
  return { ...tenant, ids, hookSecret: hook.secret, token: made.token, secrets };
}

/** Reports a signup, and returns the token with which the person can take that back for a minute. */
export async function undoOf(
  person: Browser,
  { account, request_id }: Pick<Ids, 'account' | 'request_id'>,
): Promise<string> {
  const path = `/dashboard/api/accounts/${account}/assessments/${request_id}/feedback`;
  const { json } = await person.send<GivenMark>('POST', path, { outcome: 'false_positive' });
  expect(json.undo).toEqual(expect.any(String));
  return json.undo;
}

async function sendSignups(service: Service, { live, word }: Unfurnished) {
  const client = createClient(service.url, live);
  const session_id = `session-${word}`;
  const assessed = [];
  for (const part of ['jo', 'al', 'mo'])
    assessed.push(await client.assess({ email: `${part}@${word}.example`, session_id }));
  const requests = assessed.map(({ json }) => json.request_id);
  const note = `note-${word}`;
  await client.feedback({ request_id: requests[0], outcome: 'false_positive', note });
  client.close();
  const { challenge } = (assessed[1]?.json ?? {}) as { challenge?: { token: string } };
  return { requests, token: challenge?.token as string };
}
