/** gatehouse secret: values hashed with an earlier key are found beside a running service, and nothing is counted twice. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { failureOf } from '../support/command.ts';
import { until } from '../support/expectations.ts';
import { createInstallation, type Installation, type Service } from '../support/service.ts';
import { readDecision, withStored } from '../support/stored.ts';

interface Answer {
  readonly request_id: string;
  readonly verdict: string;
}

let installation: Installation;
let service: Service;
let account: { id: string; live: string };
beforeAll(async () => {
  installation = await createInstallation();
  account = await installation.account('pro');
  service = await installation.start();
});
afterAll(() => installation?.remove());

async function assess(email: string): Promise<Answer> {
  const answer = await fetch(`${service.url}/v1/assess`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${account.live}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ email }),
  });
  return (await answer.json()) as Answer;
}

const isDenied = async (email: string) => (await assess(email)).verdict === 'block';

const hashOf = ({ request_id: id }: Answer) =>
  withStored(installation, async (store) => {
    const stored = await store.findStored(id, { accountId: account.id, mode: 'live' });
    return stored?.addressHash;
  });

it('rotates beside a running service, which still finds everything hashed before', async () => {
  const EMAIL = 'jo@example.com';
  const EXACT = 'jo+exact@example.com';
  const list = (...args: string[]) => installation.json('list', ...args, '--account', account.id);
  expect(await installation.json('secret', 'list')).toEqual([]);
  const before = await hashOf(await assess('al@example.com'));
  for (const tag of ['a', 'b', 'c']) await assess(`al+${tag}@gmail.com`);
  await list('add', '--deny', EMAIL);
  await until(() => isDenied(EMAIL));
  await list('add', '--allow', EXACT, '--exact');
  await until(async () => !(await isDenied(EXACT)));

  expect(await installation.json('secret', 'rotate')).toMatchObject({ key: 1, until: null, keys_in_use: 2 });
  await until(async () => (await hashOf(await assess('al@example.com'))) !== before);
  for (const email of [EMAIL, 'jo+tag@example.com']) expect(await isDenied(email)).toBe(true);
  expect(await isDenied(EXACT)).toBe(false);
  const again = await assess('al+d@gmail.com');
  const { evidence } = await readDecision(installation, account.id, again.request_id);
  expect(evidence.velocity).toMatchObject({ mailbox24h: 3, partial: true });
  const [newest, first] = await installation.json<{ key: number; from: string; until: string }[]>(
    'secret',
    'list',
  );
  expect([newest?.key, first?.key]).toEqual([1, 0]);
  expect(first?.until).toBe(newest?.from);

  // Adding it again gives the existing entry.
  await list('add', '--deny', EMAIL, '--reason', 'spam');
  await list('add', '--allow', EXACT, '--exact', '--reason', 'ours');
  expect(await list('show')).toMatchObject([
    { kind: 'mailbox', value: 'j***@example.com', reason: 'spam' },
    { kind: 'address', value: 'j***@example.com', reason: 'ours' },
  ]);
  const use = { accountId: account.id, mailbox: 'm', address: 'a', at: 0, isBlocked: false };
  await withStored(installation, (store) => store.saveMailboxUses([use]));
  const needed = await installation.run('secret', 'drop', '0');
  expect(failureOf(needed, 1)).toMatch(
    /^key 0 is still needed: list entries for addresses, 2, addresses of mailboxes, \d+, assessments until \d{4}-\d\d-\d\d; add --yes/,
  );
  expect(failureOf(await installation.run('secret', 'drop', '1', '--yes'), 1)).toContain('key 1 is in use');

  await list('remove', EMAIL);
  await until(async () => !(await isDenied(EMAIL)));
  await list('add', '--deny', EMAIL);
  await until(() => isDenied(EMAIL));
  expect(await installation.json('secret', 'drop', '0', '--yes')).toMatchObject({ key: 0, keys_in_use: 1 });
  expect(await isDenied(EMAIL)).toBe(true);
  const drops = await withStored(installation, (store) => store.auditEntries(null, null, 2));
  expect(drops.entries.map(({ action }) => action)).toEqual(['secret.drop', 'secret.rotate']);
});
