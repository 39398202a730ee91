/** Fills an installation with every kind of data that a release stores, as in real use: by requests, pages and commands. */
import { type Browser, claimOperator, join } from './browser.ts';
import { type Client, createClient } from './client.ts';
import type { Installation, Service } from './service.ts';

/** Members that the questions about it need. */
export interface ReleaseAccess {
  readonly account: string;
  /** Texts of keys. */
  readonly keys: Readonly<Record<'live' | 'sandbox' | 'shadow' | 'revoked', string>>;
  /** Ids of assessments, with the key that may read each. */
  readonly assessments: readonly { readonly id: string; readonly key: 'live' | 'sandbox' | 'shadow' }[];
  /** An earlier request with this `Idempotency-Key`. */
  readonly repeated: { readonly key: string; readonly body: { readonly email: string; readonly ip: string } };
  /** The cookie of the operator's session. */
  readonly cookie: string;
}

const IPS = ['203.0.113.7', '198.51.100.24', '2001:db8::17', '8.8.8.8', 'localhost'];
const NAMES = ['jo', 'al+tag', 'admin', 'kim'];
const DOMAINS = [
  'quiet-harbour-works.com',
  'gmail.com',
  'mailinator.com',
  'bücher.example',
  'listed.example',
];
export const ERASED = 'erased@quiet-harbour-works.com';

/** The installation is stopped afterwards. */
export async function fillRelease(installation: Installation): Promise<ReleaseAccess> {
  const { id: account, live, test } = await installation.account('business');
  await installation.json('account', 'create', '--name', 'Second', '--plan', 'free', '--rps', '2');
  const shadow = await installation.key(account, 'live', '--shadow');
  const revoked = await installation.key(account, 'live');
  await installation.json('key', 'revoke', revoked.id);
  const keys = { live, sandbox: test, shadow: shadow.key, revoked: revoked.key };

  const service = await installation.start();
  const operator = await claimOperator(service);
  const owner = await changeSettings(installation, service, operator, account);
  const client = createClient(service.url, live);
  const assessments = [
    ...(await assessMany(client, 'live', live)),
    ...(await assessMany(client.as(test), 'sandbox', test, NAMES.slice(0, 2))),
    ...(await assessMany(client.as(shadow.key), 'shadow', shadow.key, NAMES.slice(0, 2))),
  ];
  await giveFeedback(client, assessments[0]?.id ?? '', assessments[1]?.id ?? '');
  await redeemChallenge(client.as(test));
  const repeated = { key: 'signup-7', body: { email: 'again@quiet-harbour-works.com', ip: '8.8.4.4' } };
  const headers = { 'idempotency-key': repeated.key };
  const { json } = await client.send<{ request_id: string }>({
    method: 'POST',
    path: '/v1/assess',
    headers,
    body: repeated.body,
  });
  await client.assess({ email: ERASED });
  const cookie = [...operator.cookies].map((pair) => pair.join('=')).join('; ');
  for (const each of [client, operator, owner]) each.close();
  await service.stop();

  await installation.json('privacy', 'erase', '--account', account, '--email', ERASED, '--yes');
  await installation.json('secret', 'rotate');
  const again = await installation.start();
  const late = createClient(again.url, live);
  const hashed = await late.assess({ email: 'late@quiet-harbour-works.com', ip: '198.51.100.24' });
  late.close();
  await again.stop();
  const ids = [json.request_id, hashed.json.request_id].map((id) => ({ id, key: 'live' as const }));
  return { account, keys, assessments: [...assessments, ...ids], repeated, cookie };
}

/** Own lists, hooks, people, thresholds, weights, and a decision about a mail host. */
async function changeSettings(
  installation: Installation,
  service: Service,
  operator: Browser,
  account: string,
): Promise<Browser> {
  const entries = [
    ['--deny', 'listed.example', '--reason', 'seen in March'],
    ['--allow', 'kim@quiet-harbour-works.com'],
    ['--deny', '198.51.100.0/24', '--expires', '30d'],
    ['--deny', 'AS64500'],
    ['--allow', 'FR'],
  ];
  for (const entry of entries) await installation.json('list', 'add', '--account', account, ...entry);
  await installation.json('list', 'remove', 'AS64500', '--account', account);
  const hook = await installation.json<{ id: string }>(
    'hook',
    'create',
    '--account',
    account,
    '--provider',
    'supabase',
    '--name',
    'sign-in',
  );
  await installation.json('hook', 'rotate', hook.id);
  await installation.json('intel', 'trust-host', 'mx.trusted.example');

  const of = { account, role: 'owner' } as const;
  const owner = await join(operator, service, { ...of, email: 'owner@people.example' });
  const invite = { email: 'pending@people.example', account_id: account, role: 'member' };
  await accepted(operator.send('POST', '/dashboard/api/operator/invitations', invite));
  const at = `/dashboard/api/accounts/${account}`;
  await accepted(owner.send('PUT', `${at}/thresholds`, { challenge: 25, block: 75 }));
  const policy = { weights: { plus_alias: 40, tor_exit: 48 }, note: 'tags' };
  await accepted(owner.send('POST', `${at}/policy`, policy));
  return owner;
}

async function assessMany(
  client: Client,
  key: 'live' | 'sandbox' | 'shadow',
  text: string,
  names: readonly string[] = NAMES,
) {
  const made: { id: string; key: typeof key }[] = [];
  for (const [at, domain] of DOMAINS.entries())
    for (const [place, name] of names.entries()) {
      const ip = IPS[(at + place) % IPS.length];
      const session = place % 2 === 0 ? { session_id: `session ${at} ✓` } : {};
      const { json } = await accepted(client.assess({ email: `${name}@${domain}`, ip, ...session }, text));
      made.push({ id: json.request_id, key });
    }
  return made;
}

async function giveFeedback(client: Client, first: string, second: string): Promise<void> {
  const note = 'called us – “really” theirs';
  await accepted(client.feedback({ request_id: first, outcome: 'false_negative' }));
  await accepted(client.feedback({ request_id: first, outcome: 'false_positive', note }));
  await accepted(client.feedback({ request_id: second, outcome: 'false_negative' }));
}

async function redeemChallenge(sandbox: Client): Promise<void> {
  const { json } = await sandbox.assess({ email: 'challenge@example.com' });
  const body = { token: json.challenge?.token, outcome: 'passed' };
  await accepted(sandbox.send({ method: 'POST', path: '/v1/challenges', body }));
}

/** @throws if the answer is not 200: a fixture without it would prove less */
async function accepted<T extends { readonly status: number; readonly text: string }>(
  asking: Promise<T>,
): Promise<T> {
  const answer = await asking;
  if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${answer.text}`);
  return answer;
}
