/** The filter by outcome in the dashboard's API: signups, counts and export, alone and with other filters, and the signups of an alert about bounces. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AssessmentSearchResult } from '../../src/contract/dashboard-assessments.ts';
import type { SignupOutcome } from '../../src/model/outcome.ts';
import { type Browser, claimOperator, join } from '../support/browser.ts';
import { type Client, createClient } from '../support/client.ts';
import { problemOf } from '../support/expectations.ts';
import { parseCsv } from '../support/parse-csv.ts';
import { type Planted, plant } from '../support/plant.ts';
import { createInstallation, type Installation } from '../support/service.ts';

let installation: Installation;
let account: Planted;
let member: Browser;
let client: Client;
const ids: string[] = [];

beforeAll(async () => {
  installation = await createInstallation();
  account = await plant(installation);
  const service = await installation.start();
  const operator = await claimOperator(service);
  member = await join(operator, service, { email: 'm@example.com', account: account.id, role: 'member' });
  client = createClient(service.url, account.live);
  for (let at = 0; at < 5; at += 1) {
    const { json } = await client.assess({ email: `jo${at}@some-firm.com`, ip: `203.0.113.${at}` });
    ids.push(json.request_id);
  }
  await note(0, 'bounced');
  await note(1, 'bounced');
  await note(1, 'complained');
  await note(2, 'paid');
});
afterAll(async () => {
  client?.close();
  await installation?.remove();
});

async function note(at: number, outcome: SignupOutcome): Promise<void> {
  const body = { request_id: ids[at], outcome };
  const { status } = await client.send({ method: 'POST', path: '/v1/outcomes', key: account.live, body });
  expect(status).toBe(200);
}
const path = (rest: string) => `/dashboard/api/accounts/${account.id}/${rest}`;
const get = <Answer>(rest: string) => member.send<Answer & Record<string, unknown>>('GET', path(rest));
const found = async (query: string) =>
  (await get<AssessmentSearchResult>(`assessments?${query}`)).json.rows
    .map(({ request_id }) => ids.indexOf(request_id))
    .sort();

it('finds the signups with one of the outcomes, and counts and exports them', async () => {
  expect(await found('outcome=bounced')).toEqual([0, 1]);
  expect(await found('outcome=complained,paid')).toEqual([1, 2]);
  expect(await found('outcome=any&mode=live')).toEqual([0, 1, 2]);
  expect(await found('outcome=any&mode=test')).toEqual([]);
  expect(await found('outcome=banned')).toEqual([]);
  const { total } = (await get<{ total: number }>('assessments/summary?outcome=bounced')).json;
  expect(total).toBe(2);
  const { text } = await member.send('GET', path('assessments.csv?outcome=bounced'));
  expect(parseCsv(text)).toHaveLength(3);
});

it('goes together with other filters', async () => {
  expect(await found('outcome=bounced&ip=203.0.113.1')).toEqual([1]);
  expect(await found(`outcome=bounced&request_id=${ids[1]},${ids[2]}`)).toEqual([1]);
  expect(await found(`outcome=bounced&request_id=!${ids[1]}`)).toEqual([0]);
  expect(await found('outcome=bounced&to=2020-01-01T00:00:00Z')).toEqual([]);
});

it('refuses what is no outcome', async () => {
  for (const outcome of ['returned', '!bounced', 'none'])
    expect(problemOf(await get(`assessments?outcome=${outcome}`))).toMatchObject({
      status: 400,
      code: 'invalid_value',
      param: 'outcome',
    });
});
