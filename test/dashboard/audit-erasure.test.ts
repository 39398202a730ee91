/** An erasure blacks out nothing else in the audit log, whatever words a signup had as its session id. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PersonCounts } from '../../src/contract/dashboard-privacy.ts';
import { type Person, plantPerson, signIn } from '../support/person.ts';
import { type Planted, plant } from '../support/plant.ts';
import { createInstallation, type Installation, type Service } from '../support/service.ts';

interface Row {
  readonly action: string;
  readonly target: string;
  readonly detail: string;
}

let installation: Installation;
let service: Service;
let account: Planted;
let owner: Person;
beforeAll(async () => {
  installation = await createInstallation();
  account = await plant(installation);
  const person = await plantPerson(installation, { account: account.id, role: 'owner' });
  service = await installation.start();
  owner = await signIn(service, person);
});
afterAll(async () => {
  owner?.close();
  await installation?.remove();
});

async function assess(body: object): Promise<void> {
  const response = await fetch(`${service.url}/v1/assess`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${account.live}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
}

it('of lists, thresholds, keys and exports, every word stays, and other people of the same mask', async () => {
  const path = `/accounts/${account.id}`;
  const send = async (method: 'POST' | 'PUT', to: string, body: object) =>
    expect((await owner.send(method, `${path}/${to}`, body)).status).toBeLessThan(300);
  await send('POST', 'lists', {
    action: 'allow',
    value: 'evil-partner.example',
    reason: 'let my own farm in',
  });
  await send('POST', 'lists', { action: 'deny', value: 'max@example.net', reason: 'max, seen by ops' });
  await send('POST', 'keys', { name: 'exfil key', mode: 'live' });
  await send('PUT', 'thresholds', { challenge: 99, block: 100 });
  expect((await owner.get(`${path}/assessments.csv?domain=evil-partner.example&score_min=99`)).status).toBe(
    200,
  );
  const rows = async () => (await owner.get<{ rows: Row[] }>(`${path}/audit`)).json.rows;
  const before = await rows();
  for (const text of ['challenge 99, block 100', 'let my own farm in', 'm***@example.net', 'exfil key'])
    expect(JSON.stringify(before)).toContain(text);

  const words = before.flatMap(({ action, target, detail }) => [
    action,
    target,
    detail,
    ...`${target} ${detail}`.split(/[ ,;]+/),
  ]);
  const sessions = [...new Set(words)].filter((word) => word !== '');
  // Its mask is that of the other person's entry.
  for (const session_id of sessions) await assess({ email: 'mallory@example.net', session_id });
  const erased = await owner.send<PersonCounts>('POST', `${path}/privacy/erase`, {
    email: 'mallory@example.net',
    session_id: '100',
  });
  expect(erased.json).toMatchObject({ assessments: sessions.length, feedback: 0, list_entries: 0 });
  const [newest, ...others] = await rows();
  expect(newest).toMatchObject({
    action: 'privacy.erase',
    detail: `${sessions.length} assessments, 0 list entries`,
  });
  expect(others).toEqual(before);
});
