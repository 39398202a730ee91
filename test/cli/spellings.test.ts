/** One person, one spelling, in every part of the service: what was stored or typed as NFC is found as NFD, and the other way round. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Person, plantPerson, signIn } from '../support/person.ts';
import { createInstallation, type Installation, type Service } from '../support/service.ts';
import { withStored } from '../support/stored.ts';

const NFC = 'j\u00fcrgen@firma.de';
const NFD = 'ju\u0308rgen@firma.de';
/** Spellings as a phone, a Japanese keyboard or a copied cell of a table sends them. */
const OTHERS = [
  'J\u00dcRGEN@Firma.DE',
  '\u200bJU\u0308RGEN+shop@firma.de\ufe0f',
  '\uff4a\u00fcrgen@firma.de',
];

interface Export {
  readonly assessments: readonly { requestId: string; addressHash: string; mailboxHash: string }[];
  readonly list_entries: readonly { shown: string }[];
}
interface Answer {
  readonly request_id: string;
  readonly verdict: string;
}

let installation: Installation;
let service: Service;
let account: { id: string; live: string; test: string };
let owner: Person;
beforeAll(async () => {
  installation = await createInstallation({ GATEHOUSE_STORE_EMAILS: 'on' });
  account = await installation.account('pro');
  const person = await plantPerson(installation, { account: account.id, role: 'owner' });
  service = await installation.start();
  owner = await signIn(service, person);
});
afterAll(async () => {
  owner?.close();
  await installation?.remove();
});

async function assess(email: string, headers: Record<string, string> = {}, key = account.live) {
  const response = await fetch(`${service.url}/v1/assess`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ email }),
  });
  const { status, headers: answered } = response;
  return { status, replayed: answered.get('idempotent-replayed'), json: (await response.json()) as Answer };
}
const exported = (email: string) =>
  installation.json<Export>('privacy', 'export', '--account', account.id, '--email', email);

it('an address is one in all spellings: for a repeated request, in what is stored, and in an export', async () => {
  const first = await assess(NFC, { 'Idempotency-Key': 'a-form' });
  const again = await assess(NFD, { 'Idempotency-Key': 'a-form' });
  expect(again).toMatchObject({ status: 200, replayed: 'true', json: { request_id: first.json.request_id } });
  for (const email of [NFD, ...OTHERS]) expect(await assess(email)).toMatchObject({ status: 200 });
  expect(await assess('block\u0308@firma.de', {}, account.test)).toMatchObject({
    json: { verdict: 'allow' },
  });

  const found = await exported(NFD);
  expect(found.assessments).toHaveLength(5);
  expect(new Set(found.assessments.map(({ mailboxHash }) => mailboxHash)).size).toBe(1);
  // The two forms and the capitals are one address; the tag and the full-width letter are others of its mailbox.
  expect(new Set(found.assessments.map(({ addressHash }) => addressHash)).size).toBe(3);
  expect((await exported(NFC)).assessments).toHaveLength(5);
});

it('characters that nobody sees make no new person, and alone they are no address', async () => {
  for (const filler of ['\u034f', '\u3164', '\u115f', '\uffa0', '\u2800', '\u{e0061}'])
    expect(await assess(`jo${filler}e@firma.de`)).toMatchObject({
      status: 400,
      json: { error: { code: 'invalid_email', param: 'email' } },
    });
  expect(await assess('\u200b\u3164 \u2060')).toMatchObject({
    status: 400,
    json: { error: { code: 'missing_field', param: 'email' } },
  });
});

it('an entry of an own list decides about every spelling, in whichever form and place it was typed', async () => {
  const lists = `/accounts/${account.id}/lists`;
  const verdicts = async () =>
    Promise.all([NFC, NFD].map(async (email) => (await assess(email)).json.verdict));
  const entry = await installation.json<{ id: string }>(
    'list',
    'add',
    '--account',
    account.id,
    '--deny',
    NFD,
  );
  await expect.poll(verdicts).toEqual(['block', 'block']);
  await owner.send('POST', lists, { action: 'deny', value: `\u200b${NFC}`, reason: 'typed again' });
  expect((await owner.get<{ id: string; reason: string }[]>(lists)).json).toMatchObject([
    { id: entry.id, reason: 'typed again' },
  ]);
  await owner.send('DELETE', `${lists}/${entry.id}`);
  await expect.poll(verdicts).toEqual(['allow', 'allow']);
});

it('an erasure of one spelling leaves nothing of the others', async () => {
  await installation.json('list', 'add', '--account', account.id, '--allow', NFC);
  const counts = await owner.send<{ assessments: number }>('POST', `/accounts/${account.id}/privacy/erase`, {
    email: OTHERS[2],
  });
  expect(counts.json.assessments).toBeGreaterThanOrEqual(5);
  for (const email of [NFC, NFD, ...OTHERS])
    expect(await exported(email)).toMatchObject({ assessments: [], list_entries: [] });
  const log = await withStored(installation, (store) => store.auditEntries(account.id, null, 50));
  expect(JSON.stringify(log)).not.toMatch(/j\u00fcrgen/i);
});

it.each(['firma.de', 'bellsouth.net', 'att.net', 'hotmail.com'])(
  'an erasure of one person leaves another whose name begins alike, at %s',
  async (domain) => {
    const [marie, sophie] = [`anne-marie@${domain}`, `anne-sophie@${domain}`] as const;
    for (const email of [marie, sophie]) expect(await assess(email)).toMatchObject({ status: 200 });
    const erasure = await owner.send<{ assessments: number }>(
      'POST',
      `/accounts/${account.id}/privacy/erase`,
      { email: marie },
    );
    expect(erasure.json.assessments).toBe(1);
    expect((await exported(marie)).assessments).toEqual([]);
    expect((await exported(sophie)).assessments).toHaveLength(1);
  },
);
