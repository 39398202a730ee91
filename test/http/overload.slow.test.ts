/** A node that gets more requests at once than it may take in one turn: refusals are cheap, charge nothing and lose nothing. */
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/expectations.ts';
import { makeSenders } from '../support/hook-senders.ts';
import { ask, openKept } from '../support/kept-connection.ts';
import type { RawAnswer } from '../support/raw-exchange.ts';
import { assessHeaders, POST, request } from '../support/raw-requests.ts';
import { type Scene, startScene } from '../support/scene.ts';

/** More than one turn takes at any limit. */
const AT_ONCE = 300;
const AT_ONCE_OF_HOOK = 20;

let scene: Scene;
describe.each([
  ['the strict reader first', true],
  ["Node's parser alone", false],
])('overload, %s', (_reader, strictReader) => {
  beforeAll(async () => {
    scene = await startScene({
      account: { requestsPerSecond: 100_000 },
      environment: { GATEHOUSE_SHED_AFTER_MS: '1' },
      strictReader,
    });
  });
  afterAll(() => scene?.end());

  it('is refused with 503, charges nothing, keeps the connections and loses no answer with 200', async () => {
    const usedBefore = (await scene.live.usage()).json.assessments_used;
    const refusedBefore = await shedCount();
    const connections = await openKept(scene.service.port, AT_ONCE);
    const all: RawAnswer[] = [];
    await until(async () => {
      all.push(...(await Promise.all(connections.map((connection) => ask(connection, signup())))));
      return all.some(({ status }) => status === 503) && all.some(({ status }) => status === 200);
    });
    const refused = all.filter(({ status }) => status === 503);
    const stored = all.filter(({ status }) => status === 200);
    expect(refused.length + stored.length).toBe(all.length);
    for (const { headers, body } of refused) {
      expect(headers.get('retry-after')).toBe('1');
      expect(headers.get('x-request-id')).toMatch(/^req_/);
      expect(JSON.parse(body).error.code).toBe('unavailable');
    }
    expect((await scene.live.usage()).json.assessments_used - usedBefore).toBe(stored.length);
    expect((await shedCount()) - refusedBefore).toBe(refused.length);
    const read = await Promise.all(
      stored.slice(0, 20).map(({ body }) => scene.live.get(JSON.parse(body).request_id)),
    );
    expect(read.map(({ text }) => text)).toEqual(stored.slice(0, 20).map(({ body }) => body));
    for (const connection of connections.slice(-20))
      expect((await ask(connection, signup())).status).toBe(200);
    for (const connection of connections) connection.destroy();
  });

  it('is answered to a hook as the hook is set', async () => {
    const { senders, keyServer } = await makeSenders();
    await keyServer.close();
    const { secret, sign, payload } = senders.supabase;
    const options = ['--provider', 'supabase', '--name', 'form', '--secret', secret, '--on-error', 'deny'];
    const hook = await scene.installation.json<{ path: string }>(
      'hook',
      'create',
      '--account',
      scene.account.id,
      ...options,
    );
    let number = 0;
    const delivery = async () => {
      number += 1;
      const signupOf = { email: `jo@harbour-${number}.com`, ip: `79.192.20.${number % 250}` };
      const { headers, body } = await sign(JSON.stringify(payload(signupOf)));
      const lines = Object.entries({ host: 'localhost', 'content-length': body.length, ...headers });
      return request(
        `POST ${hook.path} HTTP/1.1`,
        lines.map((pair) => pair.join(': ')),
        Buffer.from(body),
      );
    };
    const connections = await openKept(scene.service.port, AT_ONCE + AT_ONCE_OF_HOOK);
    const ofHook = connections.slice(AT_ONCE);
    await until(async () => (await ask(ofHook[0] as Socket, await delivery())).status === 200);
    let denied = 0;
    await until(async () => {
      const deliveries = await Promise.all(ofHook.map(delivery));
      const signups = connections.slice(0, AT_ONCE).map((connection) => ask(connection, signup()));
      const answers = await Promise.all(
        ofHook.map((connection, at) => ask(connection, deliveries[at] as Buffer)),
      );
      await Promise.all(signups);
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      denied += answers.filter(({ body }) => JSON.parse(body).error?.http_code === 403).length;
      return denied > 0;
    });
    expect(await metric(/gatehouse_hook_answers_total\{provider="supabase",outcome="shed"\} (\d+)/)).toBe(
      denied,
    );
    for (const connection of connections) connection.destroy();
  });
});

let signups = 0;
function signup(): Buffer {
  signups += 1;
  const body = Buffer.from(JSON.stringify({ email: `jo.${signups}@quiet-harbour-works.com` }));
  return request(POST, assessHeaders(scene.account.live, body.length), body);
}

const shedCount = () => metric(/gatehouse_requests_shed_total\{cause="event_loop"\} (\d+)/);

async function metric(line: RegExp): Promise<number> {
  const { text } = await scene.live.send({ path: '/metrics', key: null });
  return Number(line.exec(text)?.[1] ?? Number.NaN);
}
