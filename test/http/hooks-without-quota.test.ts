/** Hooks of an account whose rate limit or month is used up: what lists in memory say is still said, and costs nothing. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ManageHookRequest } from '../../src/contract/manage-messages.ts';
import type { DoctorCheck } from '../../src/model/doctor-check.ts';
import { HOOK_PROVIDERS, type HookProvider } from '../../src/model/hook.ts';
import type { Answer } from '../support/client.ts';
import { gatehouse } from '../support/command.ts';
import { databaseFile, lockDatabase } from '../support/crash-database.ts';
import { until } from '../support/expectations.ts';
import { type HookSender, type KeyServer, makeSenders } from '../support/hook-senders.ts';
import { type Planted, plant, plantTokens } from '../support/plant.ts';
import { colleague, type Scene, startScene } from '../support/scene.ts';
import { withStored } from '../support/stored.ts';

interface Made {
  readonly id: string;
  readonly path: string;
}

const IP = '79.192.30.1';

let scene: Scene;
let senders: Record<HookProvider, HookSender>;
let keyServer: KeyServer;
let spent: Planted;
let slow: Planted;
let token: string;

beforeAll(async () => {
  ({ senders, keyServer } = await makeSenders());
  scene = await startScene({
    account: { requestsPerSecond: 100_000 },
    async prepare(installation) {
      spent = await plant(installation, { monthlyQuota: 0 });
      slow = await plant(installation, { requestsPerSecond: 1 });
      const [made] = await plantTokens(installation, { scopes: ['hooks:write', 'lists:write'] });
      token = made?.text as string;
      // Addresses of entries are then hashed with another key than the first.
      await installation.json('secret', 'rotate');
    },
  });
});
afterAll(async () => {
  await scene?.end();
  await keyServer?.close();
});

async function create(account: string, provider: HookProvider, options: Partial<ManageHookRequest> = {}) {
  const body = { provider, name: `form of ${provider}`, secret: senders[provider].secret, ...options };
  const path = `/v1/manage/accounts/${account}/hooks`;
  const { status, json, text } = await scene.live.send<Made>({ method: 'POST', path, key: token, body });
  expect(status, text).toBe(200);
  return json;
}
async function deliver(provider: HookProvider, { path }: Made, email: string, ip = IP): Promise<Answer> {
  const { payload, sign } = senders[provider];
  const { headers, body } = await sign(JSON.stringify(payload({ email, ip })));
  return scene.live.send({ method: 'POST', path, key: null, headers, body });
}
const answerOf = ({ status, json }: Answer) => ({ status, body: json });
const entry = (account: string, body: object) =>
  scene.live.send({ method: 'POST', path: `/v1/manage/accounts/${account}/lists`, key: token, body });
async function countOf(provider: string, outcome: string): Promise<number> {
  const { text } = await scene.live.send({ path: '/metrics', key: null });
  const line = `gatehouse_hook_answers_total{provider="${provider}",outcome="${outcome}"} `;
  return Number(text.split(line)[1]?.split('\n')[0] ?? 0);
}
async function storedOf(account: string): Promise<number> {
  return withStored(scene.installation, async (store) => {
    let count = 0;
    for await (const page of store.exportAssessments(account, {})) count += page.length;
    return count;
  });
}

describe.each(HOOK_PROVIDERS)('%s, with a month that is used up', (provider) => {
  it('denies listed addresses, sub-domains and malformed ones, and lets others in', async () => {
    const hook = await create(spent.id, provider);
    const { allow, deny } = senders[provider];
    for (const email of ['x@mailinator.com', 'X@Mailinator.COM', 'x@sub.mailinator.com', 'x@yopmail.com'])
      expect(answerOf(await deliver(provider, hook, email)), email).toEqual(deny);
    expect(answerOf(await deliver(provider, hook, 'a@b@example.com'))).toEqual(deny);
    expect(answerOf(await deliver(provider, hook, 'x@mailinator.com', 'no IP'))).toEqual(deny);
    const texted = await deliver(provider, hook, '5551234567@vtext.com');
    expect(answerOf(texted)).toEqual(provider === 'entra' ? allow : deny);
    for (const email of [colleague('jo'), 'jo@gmail.com', 'admin@quiet-harbour-works.com'])
      expect(answerOf(await deliver(provider, hook, email)), email).toEqual(allow);
    expect(await countOf(provider, 'denied_by_lists')).toBeGreaterThanOrEqual(5);
    expect(await countOf(provider, 'quota_exceeded')).toBeGreaterThanOrEqual(3);
    expect(await storedOf(spent.id)).toBe(0);
  });
});

describe('a flood', () => {
  it('does not open the door to listed addresses, and costs nothing beyond the limit', async () => {
    const hook = await create(slow.id, 'supabase');
    // The window of the account admits 15 in 5 seconds.
    const flood = Array.from({ length: 60 }, (_, n) =>
      deliver('supabase', hook, colleague(`flood-${n}`), `79.192.31.${n}`),
    );
    await Promise.all(flood);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => deliver('supabase', hook, `someone${n}@mailinator.com`)),
    );
    for (const answer of answers) expect(answerOf(answer)).toEqual(senders.supabase.deny);
    expect(await countOf('supabase', 'rate_limit')).toBeGreaterThan(0);
    expect(await countOf('supabase', 'denied_by_lists')).toBeGreaterThan(5);
  });

  it('is said in one line of the log for a hook and a reason, not in one for each signup', async () => {
    const lines = scene.service
      .output()
      .split('\n')
      .filter((line) => line.includes('the rate limit of its account is used up'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(slow.id);
  });
});

describe('the doctor', () => {
  it('says that hooks have no verdicts, and why', async () => {
    const { stdout } = await gatehouse(['doctor', '--json'], scene.installation.environment);
    const checks = JSON.parse(stdout) as DoctorCheck[];
    expect(checks.find(({ name }) => name === 'hooks')).toMatchObject({
      state: 'warning',
      found: expect.stringMatching(/without a verdict.*supabase rate_limit \d+/),
      advice: expect.stringContaining('docs/hooks.md'),
    });
  });
});

describe('own lists, with a month that is used up', () => {
  it('deny and allow as with a verdict, whatever --on-error says', async () => {
    const denied = await entry(spent.id, { action: 'deny', value: 'unwanted-harbour.com', reason: 'test' });
    expect(denied.status, denied.text).toBe(200);
    const allowed = await entry(spent.id, {
      action: 'allow',
      value: 'friend@mailinator.com',
      reason: 'test',
    });
    expect(allowed.status, allowed.text).toBe(200);
    const [open, shut] = await Promise.all([
      create(spent.id, 'okta', { name: 'open' }),
      create(spent.id, 'okta', { name: 'shut', on_error: 'deny' }),
    ]);
    const { allow, deny } = senders.okta;
    // A new entry holds within a second.
    const isKnown = async () =>
      (await deliver('okta', shut, 'friend@mailinator.com')).text === '{}' &&
      (await deliver('okta', open, 'jo@unwanted-harbour.com')).text !== '{}';
    await until(isKnown);
    for (const hook of [open, shut]) {
      expect(answerOf(await deliver('okta', hook, 'jo@unwanted-harbour.com'))).toEqual(deny);
      expect(answerOf(await deliver('okta', hook, 'friend@mailinator.com'))).toEqual(allow);
    }
    expect(answerOf(await deliver('okta', shut, colleague('kim')))).toEqual(deny);
    expect(answerOf(await deliver('okta', open, colleague('kim')))).toEqual(allow);
  });
});

describe('while nothing can be stored', () => {
  it('listed addresses are denied in time, and others let in as --on-error says', async () => {
    const hook = await create(scene.account.id, 'supabase');
    const unlock = lockDatabase(databaseFile(scene.installation));
    try {
      const [listed, other] = await Promise.all([
        deliver('supabase', hook, 'x@mailinator.com'),
        deliver('supabase', hook, colleague('locked')),
      ]);
      expect(answerOf(listed)).toEqual(senders.supabase.deny);
      expect(answerOf(other)).toEqual(senders.supabase.allow);
    } finally {
      unlock();
    }
  });
});
