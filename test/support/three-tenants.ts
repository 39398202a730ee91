/** Three accounts, each with people in every role and with data that carries a word of its own in every field that a caller can choose. */
import { type Browser, claimOperator, join } from './browser.ts';
import { createClient } from './client.ts';
import { type Planted, plant, plantKey } from './plant.ts';
import type { Installation, Service } from './service.ts';
import { withStored } from './stored.ts';

/** What a parameter of a path, or a member of a body, can name. */
export type IdKind = 'account' | 'request_id' | 'key' | 'hook' | 'id' | 'user';

export interface Tenant extends Planted {
  /** In everything that this account's people and signups have brought. */
  readonly word: string;
  readonly owner: Browser;
  readonly member: Browser;
  readonly ids: Readonly<Record<IdKind, string>>;
  /** What no other account may be shown. */
  readonly secrets: readonly string[];
}

const WORDS = ['quokka', 'narwhal', 'axolotl'];

export async function createTenants(
  installation: Installation,
): Promise<{ service: Service; tenants: Tenant[] }> {
  const planted = await Promise.all(
    WORDS.map((name) => plant(installation, { name, requestsPerSecond: 100_000 })),
  );
  await Promise.all(
    planted.map(({ id }, at) => plantKey(installation, id, 'live', { name: WORDS[at] as string })),
  );
  const service = await installation.start();
  const operator = await claimOperator(service);
  const tenants: Tenant[] = [];
  for (const [at, account] of planted.entries()) {
    const word = WORDS[at] as string;
    const invited = { email: `owner@${word}.example`, account: account.id, role: 'owner' } as const;
    const owner = await join(operator, service, invited);
    const member = await join(owner, service, {
      ...invited,
      email: `member@${word}.example`,
      role: 'member',
    });
    tenants.push(await furnish(installation, service, { ...account, word, owner, member }));
  }
  return { service, tenants };
}

async function furnish(
  installation: Installation,
  service: Service,
  tenant: Omit<Tenant, 'ids' | 'secrets'>,
): Promise<Tenant> {
  const { id: account, word } = tenant;
  const client = createClient(service.url, tenant.live);
  const session_id = `session-${word}`;
  const assessed = [];
  for (const part of ['jo', 'al', 'mo'])
    assessed.push(await client.assess({ email: `${part}@${word}.example`, session_id }));
  const requestId = assessed[0]?.json.request_id as string;
  await client.feedback({ request_id: requestId, outcome: 'false_positive', note: `note-${word}` });
  client.close();
  const entry = await installation.json<{ id: string }>(
    ...[
      'list',
      'add',
      '--account',
      account,
      '--deny',
      `listed-${word}.example`,
      '--reason',
      `reason-${word}`,
    ],
  );
  const hook = await installation.json<{ id: string }>(
    'hook',
    'create',
    '--account',
    account,
    '--provider',
    'supabase',
    '--name',
    word,
  );
  const { text } = await tenant.owner.send('GET', `/dashboard/api/accounts/${account}/keys`);
  const keys = text.match(/key_[\w-]+/g) ?? [];
  const user = await withStored(
    installation,
    async (store) => (await store.usersOf(`member@${word}.example`))[0]?.id,
  );
  const ids = {
    account,
    request_id: requestId,
    key: keys[0] as string,
    hook: hook.id,
    id: entry.id,
    user: user as string,
  };
  const requests = assessed.map(({ json }) => json.request_id);
  return { ...tenant, ids, secrets: [word, ...Object.values(ids), ...requests, ...keys] };
}
