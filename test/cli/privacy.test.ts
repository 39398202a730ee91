/** gatehouse privacy: a person is found in every spelling, erased without a trace, and erased again after a restore. */
import { cpSync, rmSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { failureOf } from '../support/command.ts';
import { createInstallation, type Installation, type Service } from '../support/service.ts';
import { everythingStored, withStored } from '../support/stored.ts';

interface Answer {
  readonly request_id: string;
}
interface Export {
  readonly assessments: readonly { requestId: string; addressHash: string; mailboxHash: string }[];
  readonly feedback: readonly { note: string }[];
  readonly list_entries: readonly unknown[];
}

const EMAIL = 'zoe.quandt@gmail.com';
const MASKED = 'z***@gmail.com';
const NOTE = 'zoe phoned us';
const IP = '198.51.100.7';
const COMMAND_LINE = `command line (${userInfo().username}@${hostname()})`;
let installation: Installation;
let service: Service;
let account: { id: string; live: string };
let person: string[];
beforeAll(async () => {
  installation = await createInstallation();
  account = await installation.account('pro');
  person = ['--account', account.id, '--email', EMAIL];
  service = await installation.start();
});
afterAll(() => installation?.remove());

async function send(path: string, body: object): Promise<Answer> {
  const answer = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${account.live}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as Answer;
}

const used = () =>
  withStored(installation, (store) => store.creditsUsed(account.id, new Date().toISOString().slice(0, 7)));
/** User who erased the last person, by the audit log. */
const eraser = () =>
  withStored(installation, async (store) => {
    const { entries } = await store.auditEntries(account.id, null, 20);
    return entries.find(({ action }) => action === 'privacy.erase')?.by;
  });
const isShown = async () => {
  const { assessments, feedback, list_entries } = await installation.json<Export>(
    'privacy',
    'export',
    ...person,
  );
  return [assessments.length, feedback.length, list_entries.length];
};

it('exports a person, erases them, and erases them again in an older database', async () => {
  const first = await send('/v1/assess', { email: EMAIL });
  const second = await send('/v1/assess', { email: 'zoequandt+shop@gmail.com', session_id: 'zoe-session' });
  const other = await send('/v1/assess', { email: 'al.other@gmail.com' });
  const kin = await send('/v1/assess', { email: 'kin@example.org', ip: IP });
  await installation.json('list', 'add', '--account', account.id, '--deny', IP);
  await send('/v1/feedback', { request_id: first.request_id, outcome: 'false_positive', note: NOTE });
  await installation.json('list', 'add', '--account', account.id, '--allow', EMAIL);

  const found = await installation.json<Export>('privacy', 'export', ...person);
  expect(found.assessments.map(({ requestId }) => requestId).toSorted()).toEqual(
    [first.request_id, second.request_id].toSorted(),
  );
  expect(found.feedback).toMatchObject([{ note: NOTE }]);
  expect(found.list_entries).toMatchObject([{ shown: MASKED }]);
  expect(await installation.json('privacy', 'erase', ...person)).toMatchObject({
    would_erase: true,
    assessments: 2,
    feedback: 1,
    list_entries: 1,
  });

  const withIp = [...person, '--ip', IP];
  const more = await installation.json<Export>('privacy', 'export', ...withIp);
  expect(more.assessments.map(({ requestId }) => requestId)).toContain(kin.request_id);
  expect(await installation.json('privacy', 'erase', ...withIp)).toMatchObject({
    assessments: 3,
    list_entries: 2,
  });
  const notAnIp = await installation.run('privacy', 'erase', ...person, '--ip', 'here');
  expect(failureOf(notAnIp, 2)).toContain('It must be an IP address.');

  const { DATABASE_URL: url } = installation.environment;
  const beside = await send('/v1/assess', { email: 'uma.beside@own-name.com', session_id: 'uma-session' });
  await installation.json('list', 'add', '--account', account.id, '--allow', 'uma.beside@own-name.com');
  expect(
    await installation.json(
      'privacy',
      'erase',
      '--account',
      account.id,
      '--email',
      'uma.beside@own-name.com',
      '--yes',
    ),
  ).toMatchObject({ erased: true, assessments: 1, list_entries: 1 });
  const answer = await fetch(`${service.url}/v1/assess/${beside.request_id}`, {
    headers: { Authorization: `Bearer ${account.live}` },
  });
  expect(answer.status).toBe(400);
  expect(await eraser()).toBe(COMMAND_LINE);
  await service.stop();
  const backup = `${installation.directory}-before`;
  if (url === undefined) cpSync(installation.directory, backup, { recursive: true });
  const credits = await used();
  expect(await installation.json('privacy', 'erase', ...withIp, '--yes')).toMatchObject({ assessments: 3 });
  expect(await eraser()).toBe(COMMAND_LINE);

  const traces = [
    first.request_id,
    second.request_id,
    kin.request_id,
    NOTE,
    'zoe-session',
    IP,
    beside.request_id,
    'uma-session',
  ];
  const findTraces = async () => {
    const stored = await everythingStored(installation);
    return traces.filter((trace) => stored.some((part) => part.includes(trace)));
  };
  expect(await findTraces()).toEqual([]);
  expect(await isShown()).toEqual([0, 0, 0]);
  expect(await used()).toBe(credits);

  if (url === undefined) {
    const { GATEHOUSE_DATA_DIR: folder = '' } = installation.environment;
    const erasures = `${backup}.jsonl`;
    cpSync(join(folder, 'erasures.jsonl'), erasures);
    rmSync(installation.directory, { recursive: true });
    cpSync(backup, installation.directory, { recursive: true });
    // As of a backup, which has no such list.
    rmSync(join(folder, 'erasures.jsonl'));
    expect(await isShown()).toEqual([2, 1, 1]);
    expect(await installation.json('privacy', 'reapply', erasures)).toEqual({
      people: 1,
      assessments: 3,
      list_entries: 2,
    });
    expect(await findTraces()).toEqual([]);
    const noList = await installation.run('privacy', 'reapply', join(folder, 'secret.key'));
    expect(failureOf(noList, 1)).toMatch(
      /secret\.key is not a list of erasures .*: name erasures\.jsonl of the data folder/,
    );
    for (const path of [backup, erasures]) rmSync(path, { recursive: true });
  }

  service = await installation.start();
  expect(await isShown()).toEqual([0, 0, 0]);
  const log = await withStored(installation, (store) => store.auditEntries(account.id, null, 20));
  expect(log.entries.map(({ action }) => action)).toContain('privacy.erase');
  expect(JSON.stringify(log.entries.filter(({ action }) => action.startsWith('privacy')))).not.toContain(
    'zoe',
  );
  const read = (id: string) =>
    fetch(`${service.url}/v1/assess/${id}`, { headers: { Authorization: `Bearer ${account.live}` } });
  expect((await read(first.request_id)).status).toBe(400);
  expect((await read(other.request_id)).status).toBe(200);
});

it('names who asked for an erasure that another process ends', async () => {
  const erased = { account: account.id, hashes: ['a'.repeat(22)], until: Date.now() };
  // One that was interrupted: the next start ends it.
  await service.stop();
  await withStored(installation, (store) => store.noteErasure(erased, 'jo@example.com'));
  service = await installation.start();
  const isEnded = () =>
    withStored(installation, async (store) =>
      (await store.erasures()).every(({ appliedAt }) => appliedAt !== null),
    );
  await expect.poll(isEnded, { timeout: 10_000 }).toBe(true);
  expect(await eraser()).toBe('jo@example.com');
  // One beside the service, which reads only from the database who asked.
  if (installation.environment.DATABASE_URL !== undefined) return;
  const other = { ...erased, until: erased.until + 1 };
  await withStored(installation, (store) => store.noteErasure(other, 'al@example.com'));
  await expect.poll(isEnded, { timeout: 10_000 }).toBe(true);
  expect(await eraser()).toBe('al@example.com');
});
