/** The audit log in its three places: the command line, the management API and the dashboard show the same entries and accept the same filters. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toCsvRow } from '../../src/contract/csv-row.ts';
import type { AuditLogRow, AuditRow } from '../../src/contract/dashboard-account.ts';
import type { CreatedToken } from '../../src/contract/dashboard-tokens.ts';
import { type Browser, claimOperator } from '../support/browser.ts';
import { createClient } from '../support/client.ts';
import { problemOf } from '../support/expectations.ts';
import { plant } from '../support/plant.ts';
import { createInstallation, type Installation, type Service } from '../support/service.ts';

type Entry = Readonly<Record<'at' | 'by' | 'action' | 'target' | 'detail', string>>;

let installation: Installation;
let service: Service;
let operator: Browser;
let token: string;
let account: string;

beforeAll(async () => {
  installation = await createInstallation();
  account = (await plant(installation, { name: 'shop' })).id;
  service = await installation.start();
  operator = await claimOperator(service);
  const scopes = ['audit:read', 'keys:write'];
  const body = { name: 'script', scopes, account_id: null, expires_in_days: 1 };
  const made = await operator.send<CreatedToken>('POST', '/dashboard/api/operator/tokens', body);
  token = made.json.secret;
  // A change in each place.
  const key = { name: 'form', mode: 'live' };
  await operator.send('POST', `/dashboard/api/accounts/${account}/keys`, { ...key, name: 'by the page' });
  await manage('POST', `/accounts/${account}/keys`, { ...key, name: 'by the API' });
  await installation.json(
    'key',
    'create',
    '--account',
    account,
    '--mode',
    'live',
    '--name',
    'by the command line',
  );
  await installation.json('list', 'add', '--account', account, '--deny', 'bad.example');
}, 240_000);
afterAll(() => installation?.remove());

async function manage(method: string, path: string, body?: unknown) {
  const client = createClient(service.url, token);
  const sending = { method, path: `/v1/manage${path}`, ...(body === undefined ? {} : { body }) };
  return client.send(sending).finally(() => client.close());
}

/** Entries as all three show them, with times in seconds. */
const plain = ({ at, by, action, target, detail }: Entry): Entry => ({
  at: `${at.slice(0, 19)}Z`,
  by,
  action,
  target,
  detail,
});

async function inAllPlaces(of: string | null, filter: Readonly<Record<string, string>>): Promise<Entry[][]> {
  const query = new URLSearchParams(filter).toString();
  const options = Object.entries(filter).flatMap(([name, value]) => [`--${name}`, value]);
  const ofAccount = of === null ? [] : ['--account', of];
  const shown = await installation.json<Entry[]>('audit', ...ofAccount, ...options);
  const path = of === null ? '/audit' : `/accounts/${of}/audit`;
  const answered = (await manage('GET', `${path}?${query}`)).json as unknown as { data: Entry[] };
  const page = of === null ? '/operator/audit' : `/accounts/${of}/audit`;
  const { json } = await operator.send<{ rows: AuditRow[] }>('GET', `/dashboard/api${page}?${query}`);
  return [shown, answered.data, json.rows].map((entries) => entries.map(plain));
}

describe('the audit log of an account', () => {
  it.each([
    [{}, ['bad.example', 'by the command line', 'by the API', 'by the page']],
    [{ action: 'key.create' }, ['by the command line', 'by the API', 'by the page']],
    [{ action: 'list.' }, ['bad.example']],
    [{ action: 'key' }, []],
    [{ by: 'OPERATOR@' }, ['by the page']],
    [{ by: 'token tok_' }, ['by the API']],
    [{ target: 'BY THE' }, ['by the command line', 'by the API', 'by the page']],
    [{ target: 'bad.ex', action: 'list.' }, ['bad.example']],
    [{ target: 'nobody knows' }, []],
    [{ by: 'command line', action: 'key.' }, ['by the command line']],
    [{ since: '2020-01-01T00:00:00Z', by: 'operator' }, ['by the page']],
    [{ until: '2020-01-01T00:00:00Z' }, []],
  ])('with %j is the same in all places', async (filter: Record<string, string>, targets) => {
    const [shown, answered, listed] = await inAllPlaces(account, filter);
    expect(shown?.map(({ target }) => target.replace('live key ', ''))).toEqual(targets);
    expect(answered).toEqual(shown);
    expect(listed).toEqual(shown);
  });
});

describe('the audit log of the installation', () => {
  it.each([{}, { action: 'token.create' }, { by: 'operator@' }])(
    'with %j is the same in all places',
    async (filter) => {
      const [shown, answered, listed] = await inAllPlaces(null, filter as Record<string, string>);
      expect(shown?.map(({ action }) => action)).toContain('token.create');
      expect(answered).toEqual(shown);
      expect(listed).toEqual(shown);
    },
  );
});

describe('the export', () => {
  const exported = async (page: string, query = '') =>
    (await operator.send('GET', `/dashboard/api${page}/audit.csv${query}`)).text.split('\r\n').slice(0, -1);

  async function listed(page: string, query: URLSearchParams): Promise<AuditLogRow[]> {
    const rows: AuditLogRow[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      query.set('cursor', cursor);
      const { json } = await operator.send<{ rows: AuditLogRow[]; cursor: string | null }>(
        ...(['GET', `/dashboard/api${page}/audit?${query}&limit=2`] as const),
      );
      rows.push(...json.rows);
      cursor = json.cursor;
    }
    return rows;
  }

  it.each([
    {},
    { action: 'key.' },
    { action: 'list.deny', target: 'bad' },
    { by: 'token tok_' },
    { target: 'by the' },
    { until: '2020-01-01T00:00:00Z' },
    { since: '2020-01-01T00:00:00Z' },
  ])('with %j has the entries of the page', async (filter) => {
    const query = new URLSearchParams(filter as Record<string, string>);
    for (const page of [`/accounts/${account}`, '/operator']) {
      const rows = await listed(page, new URLSearchParams(query));
      const lines = rows.map(({ id, at, by, action, target, detail }) =>
        toCsvRow([id, at, by, action, target, detail]).trimEnd(),
      );
      expect((await exported(page, `?${query}`)).slice(1)).toEqual(lines);
    }
  });

  it('has what the filter finds, as text for spreadsheets, and is in the log itself', async () => {
    const name = '=HYPERLINK("http://evil.example"), a key';
    await operator.send('POST', `/dashboard/api/accounts/${account}/keys`, { name, mode: 'live' });
    const lines = await exported(`/accounts/${account}`, '?action=key.create&by=operator');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toBe('id,at,by,action,target,detail');
    expect(lines[1]).toContain('"live key =HYPERLINK(""http://evil.example""), a key"');
    const { json } = await operator.send<{ rows: AuditRow[] }>(
      'GET',
      `/dashboard/api/accounts/${account}/audit`,
    );
    expect(json.rows[0]).toMatchObject({ action: 'audit.export', detail: 'action key.create, by operator' });
    for (const line of await exported(`/accounts/${account}`)) expect(line).not.toMatch(/(?:^|,)"?[=+@-]/);
    expect((await exported('/operator', '?action=token.create')).length).toBe(2);
  });
});

describe('a filter that cannot be used', () => {
  it.each([
    ['since', 'yesterday'],
    ['until', '2027-02-30T00:00:00Z'],
    ['by', 'x'.repeat(301)],
    ['target', 'x'.repeat(301)],
  ])('names the parameter %s', async (param, text) => {
    const query = new URLSearchParams({ [param]: text });
    const answers = [
      await manage('GET', `/audit?${query}`),
      await operator.send('GET', `/dashboard/api/operator/audit?${query}`),
    ];
    for (const answer of answers)
      expect(problemOf(answer)).toEqual({ status: 400, code: 'invalid_value', param });
  });
});
