/** One idempotency key on several nodes: one assessment, one credit, one answer, also when a node is killed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Assessment } from '../../src/contract/messages.ts';
import { LEASE_MS } from '../../src/store/idempotency-store.ts';
import type { Answer, Client } from '../support/client.ts';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { problemOf } from '../support/expectations.ts';
import { PATIENT_SERVICE } from '../support/running-service.ts';

const NODES = 2;
const AT_ONCE = 30;
const PATIENCE_MS = 180_000;

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ nodes: NODES, program: PATIENT_SERVICE });
}, PATIENCE_MS);
afterAll(() => cluster?.end());

const send = (at: number, path: string, key: string, body: unknown, idempotencyKey: string) =>
  (cluster.clients[at % NODES] as Client).send<Assessment>({
    method: 'POST',
    path,
    key,
    body,
    headers: { 'idempotency-key': idempotencyKey },
  });
const isReplay = ({ headers }: Answer<unknown>) => headers['idempotent-replayed'] === 'true';
/** As if the node that reserved these keys had been silent until the other nodes stop waiting. */
const endLeases = (accountId: string) =>
  cluster.sql(`UPDATE idempotency SET at = $2 WHERE account_id = $1 AND state = 'reserved'`, [
    accountId,
    Date.now() - LEASE_MS,
  ]);
const stored = (accountId: string) =>
  cluster.sql<{ records: number; credits: number }>(
    `SELECT (SELECT count(*)::int FROM assessments WHERE account_id = $1) AS records,
       (SELECT coalesce(sum(used), 0)::int FROM credits WHERE account_id = $1) AS credits`,
    [accountId],
  );

describe('one key on two nodes', () => {
  it('makes one assessment from many simultaneous requests, and counts one attempt', async () => {
    const { id, live } = await cluster.account();
    const body = { email: 'jo@two-nodes.com', ip: '81.20.2.1' };
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, at) => send(at, '/v1/assess', live, body, 'jo')),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(1);
    expect(await stored(id)).toEqual([{ records: 1, credits: 1 }]);
    const next = await (cluster.clients[1] as Client).assess({ ...body, email: 'al@two-nodes.com' }, live);
    expect(next.json.signals.velocity).toMatchObject({ ip_signups_1h: 2, email_domain_1h: 2 });
  });

  it('is refused on the other node with another body, and replayed with the same', async () => {
    const { live } = await cluster.account();
    const body = { email: 'kim@two-nodes.com' };
    const first = await send(0, '/v1/assess', live, body, 'kim');
    const again = await send(1, '/v1/assess', live, body, 'kim');
    expect([again.status, again.text, isReplay(again)]).toEqual([200, first.text, true]);
    const other = await send(1, '/v1/assess', live, { email: 'other@two-nodes.com' }, 'kim');
    expect(problemOf(other)).toEqual({ status: 400, code: 'missing_field', param: 'Idempotency-Key' });
  });

  it('saves the feedback of many simultaneous requests once', async () => {
    const { live } = await cluster.account();
    const { request_id } = (await send(0, '/v1/assess', live, { email: 'fay@two-nodes.com' }, 'fay')).json;
    const body = { request_id, outcome: 'false_positive' };
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, at) => send(at, '/v1/feedback', live, body, 'fay')),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(1);
  });

  it('is taken over from a node that was killed before it stored anything', {
    timeout: 240_000,
  }, async () => {
    const { id, live } = await cluster.account();
    const body = { email: 'zoe@two-nodes.com' };
    // As the killed node left it: a reservation, and no assessment.
    await send(0, '/v1/assess', live, body, 'zoe');
    await cluster.sql(
      `UPDATE idempotency SET state = 'reserved', request_id = 'req_of_a_dead_node', at = $2 WHERE account_id = $1`,
      [id, Date.now() + 60_000],
    );
    await cluster.sql('DELETE FROM assessments WHERE account_id = $1', [id]);
    const early = await send(1, '/v1/assess', live, body, 'zoe');
    expect([early.status, early.headers['retry-after']]).toEqual([503, '1']);
    await endLeases(id);
    const answer = await send(1, '/v1/assess', live, body, 'zoe');
    expect([answer.status, isReplay(answer)]).toEqual([200, false]);
    expect((await stored(id))[0]?.records).toBe(1);
  });

  it('keeps its answer when the node that gave it is killed', { timeout: 240_000 }, async () => {
    const { id, live } = await cluster.account();
    const bodies = Array.from({ length: AT_ONCE }, (_, at) => ({ email: `max${at}@two-nodes.com` }));
    const sendAll = (node: number) =>
      Promise.allSettled(
        bodies.map((body) => send(node, '/v1/assess', live, body, body.email.replace('@', '-at-'))),
      );
    const first = sendAll(0);
    await expect.poll(async () => (await stored(id))[0]?.records).toBeGreaterThan(0);
    await cluster.nodes[0]?.kill();
    const answered = await first;
    // The request that the killed node had reserved is handled here after its lease.
    const pending = new Set(bodies.keys());
    const again: Answer<Assessment>[] = [];
    while (pending.size > 0) {
      const results = await sendAll(1);
      for (const [at, result] of results.entries()) {
        if (result.status !== 'fulfilled' || result.value.status !== 200) continue;
        pending.delete(at);
        again[at] = result.value;
      }
      await endLeases(id);
    }
    for (const [at, result] of answered.entries())
      if (result.status === 'fulfilled') expect(again[at]?.text).toBe(result.value.text);
    expect(await stored(id)).toEqual([{ records: AT_ONCE, credits: AT_ONCE }]);
  });
});
