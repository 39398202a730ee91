/** The questions whose answers a release fixture contains; every later version must give the same answers. */
import { createClient } from './client.ts';
import type { ReleaseAccess } from './fill-release.ts';
import type { FixtureAnswer } from './release-fixture.ts';
import type { Service } from './service.ts';

/** Below `/dashboard/api`; `…` is the account. */
const PAGES = [
  '/session',
  '/operator/accounts',
  '/operator/people',
  '/operator/audit',
  '…/assessments',
  '…/assessments?mode=test',
  '…/assessments?domain=quiet-harbour-works.com',
  '…/assessments.csv',
  '…/feedback',
  '…/hooks',
  '…/keys',
  '…/lists',
  '…/policy',
  '…/usage',
  '…/audit',
  '…/shadow',
  '…/today?period=24h',
];
/** Number of assessments whose explanations are read. */
const EXPLAINED = 7;

/** In this order: pages first, because requests change what they show. */
export async function askRelease(service: Service, access: ReleaseAccess): Promise<FixtureAnswer[]> {
  const client = createClient(service.url);
  const answers: FixtureAnswer[] = [];
  const ask = async (question: string, sending: Parameters<typeof client.send>[0]) => {
    const { status, text } = await client.send(sending);
    answers.push({ question, status, body: text });
  };
  const explained = access.assessments
    .filter((_, at) => at % Math.ceil(access.assessments.length / EXPLAINED) === 0)
    .map(({ id }) => `…/assessments/${id}`);
  for (const page of [...PAGES, ...explained]) {
    const path = `/dashboard/api${page.replace('…', `/accounts/${access.account}`)}`;
    await ask(page, { path, headers: { cookie: access.cookie, 'x-gatehouse': 'dashboard' } });
  }
  for (const { id, key } of access.assessments)
    await ask(`GET ${id}`, { path: `/v1/assess/${id}`, key: access.keys[key] });
  for (const key of ['live', 'sandbox', 'shadow', 'revoked'] as const)
    await ask(`usage of the ${key} key`, { path: '/v1/usage', key: access.keys[key] });
  const { key, body } = access.repeated;
  const headers = { 'idempotency-key': key };
  const repeat = { method: 'POST', path: '/v1/assess', key: access.keys.live, headers, body };
  await ask('the repeated request', repeat);
  client.close();
  return answers;
}
