/** Addresses of one mailbox over months, in the running service: learned behind the commit, kept over a restart, forgotten with the person, and ended by a report. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Assessment } from '../src/contract/messages.ts';
import type { VelocityEvidence } from '../src/model/evidence.ts';
import { type Client, createClient } from './support/client.ts';
import { patienceMs } from './support/long-version.ts';
import { type Scene, startScene } from './support/scene.ts';
import { readDecision, withStored } from './support/stored.ts';

const PATIENCE = { timeout: patienceMs(30_000), interval: 50 };
const DAY_MS = 86_400_000;

let scene: Scene;
let client: Client;
beforeAll(async () => {
  scene = await startScene();
  client = scene.live;
});
afterAll(async () => {
  client?.close();
  await scene?.end();
});

const assess = async (email: string): Promise<Assessment> => (await client.assess({ email })).json;
const velocityOf = async ({ request_id: id }: Assessment): Promise<VelocityEvidence> =>
  (await readDecision(scene.installation, scene.account.id, id)).evidence.velocity;
/** How many addresses of its mailbox a signup with an address finds. */
const found = async (email: string) => (await velocityOf(await assess(email))).mailbox90d;

/** Signs up once, waits until that is learned, and keeps four more addresses of the mailbox, as of earlier weeks. */
async function comeBack(email: string): Promise<void> {
  const { request_id: id } = await assess(email);
  const accountId = scene.account.id;
  const mailbox = await withStored(scene.installation, async (store) => {
    const stored = await store.findStored(id, { accountId, mode: 'live' });
    return stored?.mailboxHash ?? '';
  });
  await expect
    .poll(
      () => withStored(scene.installation, (store) => store.mailboxAddresses(accountId, [mailbox])),
      PATIENCE,
    )
    .toHaveLength(1);
  const weeks = [1, 2, 3, 4].map((week) => {
    const at = Date.now() - week * 7 * DAY_MS;
    return { accountId, mailbox, address: `week ${week}`, at, isBlocked: false };
  });
  await withStored(scene.installation, (store) => store.saveMailboxUses(weeks));
}

it('challenges the sixth address, also after a restart', async () => {
  await comeBack('jo+first@gmail.com');
  await expect.poll(() => found('jo+sixth@gmail.com'), PATIENCE).toBe(6);
  // Once that is learned, too, another spelling is the seventh.
  await expect.poll(() => found('j.o+sixth@googlemail.com'), PATIENCE).toBe(7);
  const sixth = await assess('j.o+sixth@googlemail.com');
  expect(sixth).toMatchObject({ verdict: 'challenge' });
  const { findings } = await readDecision(scene.installation, scene.account.id, sixth.request_id);
  expect(findings[0]?.detail).toBe('7 addresses of one mailbox within 90 days (3 today)');
  // Another mailbox has no such finding.
  expect(await found('al+sixth@gmail.com')).toBe(0);
  await scene.service.stop();
  const service = await scene.installation.start();
  client.close();
  client = createClient(service.url, scene.account.live);
  expect(await found('jo+sixth@gmail.com')).toBeGreaterThanOrEqual(6);
});

it('does not count the mailbox of a good customer any more', async () => {
  await comeBack('al+first@fastmail.com');
  await expect.poll(() => found('al+sixth@fastmail.com'), PATIENCE).toBe(6);
  const { request_id } = await assess('al+sixth@fastmail.com');
  expect((await client.feedback({ request_id, outcome: 'false_positive' })).status).toBe(200);
  await expect.poll(() => found('al+sixth@fastmail.com'), PATIENCE).toBe(0);
});

it('forgets them with the person, and begins anew', async () => {
  await comeBack('uma+first@outlook.com');
  await expect.poll(() => found('uma+sixth@outlook.com'), PATIENCE).toBe(6);
  const person = ['--account', scene.account.id, '--email', 'uma@outlook.com'];
  expect(await scene.installation.json('privacy', 'erase', ...person, '--yes')).toMatchObject({
    erased: true,
  });
  await expect.poll(() => found('uma+seventh@outlook.com'), PATIENCE).toBe(0);
  const kept = async () =>
    (await scene.installation.json<{ mailbox_addresses: object[] }>('privacy', 'export', ...person))
      .mailbox_addresses;
  await expect.poll(kept, PATIENCE).toHaveLength(1);
});
