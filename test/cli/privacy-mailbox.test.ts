/** gatehouse privacy: the hashes of a mailbox with several addresses go with the person, also again after a restore, unless the operator lets them stay. */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { gatehouse } from '../support/command.ts';
import { createInstallation, type Installation, type Service } from '../support/service.ts';
import { withStored } from '../support/stored.ts';

interface Export {
  readonly assessments: readonly { addressHash: string; mailboxHash: string }[];
  readonly mailbox_addresses: readonly object[];
}

const DAY_MS = 86_400_000;
const KEEP = { GATEHOUSE_ERASED_MAILBOX: 'keep', GATEHOUSE_RETENTION_MAILBOX_DAYS: '60' };
let installation: Installation;
let service: Service;
let account: { id: string; live: string };
beforeAll(async () => {
  installation = await createInstallation();
  account = await installation.account('pro');
  service = await installation.start();
});
afterAll(() => installation?.remove());

async function send(email: string): Promise<void> {
  await fetch(`${service.url}/v1/assess`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${account.live}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ email }),
  });
}

const personOf = (email: string) => ['--account', account.id, '--email', email];
const exported = (email: string) => installation.json<Export>('privacy', 'export', ...personOf(email));
const kept = async (email: string) => (await exported(email)).mailbox_addresses.length;
const dayAfter = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
/** The newest entry about an erasure. */
const logged = () =>
  withStored(installation, async (store) => {
    const { entries } = await store.auditEntries(account.id, null, 20);
    return entries.find(({ action }) => action === 'privacy.erase')?.detail;
  });

async function erase(email: string, environment = {}): Promise<object> {
  const args = ['privacy', 'erase', ...personOf(email), '--yes', '--json'];
  const { stdout } = await gatehouse(args, { ...installation.environment, ...environment });
  return JSON.parse(stdout) as object;
}

/** Two signups of a mailbox, and what is kept of their addresses. */
async function signUp(...emails: readonly [string, string]): Promise<void> {
  for (const email of emails) await send(email);
  const { assessments } = await exported(emails[0]);
  expect(assessments).toHaveLength(2);
  await withStored(installation, (store) =>
    store.saveMailboxUses(
      assessments.map(({ mailboxHash: mailbox, addressHash: address }) => {
        return { accountId: account.id, mailbox, address, at: Date.now(), isBlocked: false };
      }),
    ),
  );
}

it('lets the hashes go with the person, or stay until their days are over', async () => {
  const [ZOE, UMA] = ['zoe.quandt@gmail.com', 'uma@example.org'];
  await signUp(ZOE, 'zoequandt+shop@gmail.com');
  await signUp(UMA, 'uma+shop@example.org');
  await service.stop();
  const last_used = dayAfter(0);
  expect((await exported(ZOE)).mailbox_addresses).toEqual(
    [1, 2].map(() => ({ last_used, only_blocked: false, reported_good: false })),
  );
  expect(await installation.json('privacy', 'erase', ...personOf(ZOE))).toMatchObject({
    would_erase: true,
    mailbox_addresses: 2,
    mailbox_addresses_stay_until: null,
  });
  const folder = installation.environment.GATEHOUSE_DATA_DIR ?? '';
  const backup = `${installation.directory}-before`;
  const isEmbedded = installation.environment.DATABASE_URL === undefined;
  if (isEmbedded) cpSync(folder, backup, { recursive: true });

  expect(await erase(ZOE)).toMatchObject({ assessments: 2, mailbox_addresses: 2 });
  expect(await logged()).toMatch(/2 mailbox addresses(?! that stay)/);
  expect(await kept(ZOE)).toBe(0);

  const stays = { mailbox_addresses: 2, mailbox_addresses_stay_until: dayAfter(60) };
  expect(await erase(UMA, KEEP)).toMatchObject({ erased: true, assessments: 2, ...stays });
  expect(await logged()).toContain(`2 mailbox addresses that stay until ${dayAfter(60)}`);
  expect(await exported(UMA)).toMatchObject({ assessments: [], mailbox_addresses: [{}, {}] });
  const between = `${installation.directory}-between`;
  if (isEmbedded) cpSync(folder, between, { recursive: true });
  expect(await erase(UMA)).toMatchObject({ assessments: 0, mailbox_addresses: 2 });
  expect(await kept(UMA)).toBe(0);

  if (!isEmbedded) return;
  const erasures = `${backup}.jsonl`;
  cpSync(join(folder, 'erasures.jsonl'), erasures);
  const restore = (from: string) => {
    rmSync(folder, { recursive: true });
    cpSync(from, folder, { recursive: true });
  };
  restore(backup);
  for (const email of [ZOE, UMA]) expect(await kept(email)).toBe(2);
  const again = await gatehouse(['privacy', 'reapply', erasures], { ...installation.environment, ...KEEP });
  expect(again.status).toBe(0);
  for (const email of [ZOE, UMA]) expect(await kept(email)).toBe(2);
  restore(backup);
  await installation.json('privacy', 'reapply', erasures);
  for (const email of [ZOE, UMA]) expect(await kept(email)).toBe(0);
  // Nothing but the hashes was left.
  restore(between);
  expect(await kept(UMA)).toBe(2);
  await installation.json('privacy', 'reapply', erasures);
  expect(await kept(UMA)).toBe(0);
  for (const path of [backup, between, erasures]) rmSync(path, { recursive: true });
});

it('erases them beside a running service, of which nothing but hashes was left', async () => {
  service = await installation.start();
  await signUp('lea@example.net', 'lea+shop@example.net');
  expect(await erase('lea@example.net', KEEP)).toMatchObject({ erased: true, assessments: 2 });
  const counts = (email: string) => installation.json('privacy', 'erase', ...personOf(email));
  // The service decides by its own setting.
  expect(await counts('lea@example.net')).toMatchObject({
    mailbox_addresses: installation.environment.DATABASE_URL === undefined ? 0 : 2,
  });
  await erase('lea@example.net');
  expect(await counts('lea+other@example.net')).toMatchObject({ assessments: 0, mailbox_addresses: 0 });
});
