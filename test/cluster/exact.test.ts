/** Three nodes count as one: credits, bursts and velocity are exact whichever node the requests reach. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Assessment } from '../../src/contract/messages.ts';
import type { Answer, Client } from '../support/client.ts';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { meterOf, problemOf } from '../support/expectations.ts';
import { settle } from '../support/ledger.ts';
import { rounds } from '../support/long-version.ts';
import { PATIENT_SERVICE } from '../support/running-service.ts';

import { countStatuses } from '../support/steady-load.ts';

const NODES = 3;
/** Concurrent calls: as many as a busy machine answers before a commit is late or a window ends. */
const MANY = rounds(60, 500);
const BURST = rounds(30, 100);
const PATIENCE_MS = 180_000;

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ nodes: NODES, program: PATIENT_SERVICE });
}, PATIENCE_MS);
afterAll(() => cluster?.end());

let signups = 0;
interface Signup {
  readonly email: string;
  readonly ip: string;
}
/** With its own domain and IP by default. */
function signup(fields: Partial<Signup> = {}): Signup {
  signups += 1;
  const ip = `79.192.${Math.floor(signups / 250)}.${(signups % 250) + 1}`;
  return { email: `jo${signups}@harbour-${signups}.com`, ip, ...fields };
}

/** All at once, spread over the nodes. */
function assessAll(key: string, bodies: readonly Signup[]): Promise<Answer<Assessment>[]> {
  return Promise.all(bodies.map((body, at) => (cluster.clients[at % NODES] as Client).assess(body, key)));
}

const many = (count: number, fields?: Partial<Signup>) => Array.from({ length: count }, () => signup(fields));
const velocityOf = ({ json }: Answer<Assessment>) => json.signals.velocity;
const codesOf = ({ json }: Answer<Assessment>) => json.reasons.map(({ code }) => code);
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
const ascending = (values: number[]) => values.toSorted((a, b) => a - b);

describe('the quota', () => {
  it('gives the last credit to one of many calls, and charges it once', async () => {
    const { id, live } = await cluster.account({ monthlyQuota: 1 });
    const answers = await assessAll(live, many(MANY));
    expect(countStatuses(answers)).toEqual({ 200: 1, 429: MANY - 1 });
    const refused = answers.filter(({ status }) => status === 429);
    for (const answer of refused) expect(problemOf(answer)).toEqual({ status: 429, code: 'quota_exceeded' });
    expect(await settle(cluster, id, answers)).toEqual({ lost: [], unasked: [], records: 1, credits: 1 });
    for (const client of cluster.clients) expect((await client.usage(live)).json.assessments_used).toBe(1);
  });

  it('is used up exactly when all nodes send more calls, and refused calls cost no credit', async () => {
    const { id, live } = await cluster.account({ monthlyQuota: 50 });
    const answers: Answer<Assessment>[] = [];
    for (let round = 0; round < 8; round += 1) answers.push(...(await assessAll(live, many(10))));
    expect(countStatuses(answers)).toEqual({ 200: 50, 429: 30 });
    expect(
      ascending(answers.filter(({ status }) => status === 200).map((answer) => meterOf(answer).used)),
    ).toEqual(numbers(50));
    expect(await settle(cluster, id, answers)).toEqual({ lost: [], unasked: [], records: 50, credits: 50 });
  });
});

describe('the burst limit', () => {
  it('of plan free admits 15 of many calls at once, whichever node they reach', async () => {
    const { live } = await cluster.account({ plan: 'free', requestsPerSecond: null });
    // The usage of the account was requested, which is not counted.
    const answers = await assessAll(live, many(BURST));
    expect(countStatuses(answers)).toEqual({ 200: 15, 429: BURST - 15 });
    for (const answer of answers.filter(({ status }) => status === 429)) {
      expect(problemOf(answer)).toEqual({ status: 429, code: 'rate_limit' });
      expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(5);
    }
    expect(
      ascending(answers.filter(({ status }) => status === 200).map((answer) => meterOf(answer).remaining)).at(
        0,
      ),
    ).toBe(0);
  });

  it('belongs to the account, not to each key; the sandbox has its own', async () => {
    const { live, test } = await cluster.account({ plan: 'free', requestsPerSecond: null });
    const [ours, tries] = await Promise.all([assessAll(live, many(30)), assessAll(test, many(30))]);
    expect(countStatuses(ours)).toEqual({ 200: 15, 429: 15 });
    expect(countStatuses(tries)).toEqual({ 200: 15, 429: 15 });
  });
});

describe('velocity', () => {
  it('counts the attempts of an IP from 1 on, and finds a burst from the 5th on', async () => {
    const { live } = await cluster.account();
    const answers = await assessAll(live, many(40, { ip: '81.20.1.1' }));
    const counts = answers.map((answer) => velocityOf(answer).ip_signups_1h);
    expect(ascending(counts)).toEqual(numbers(40));
    for (const answer of answers) {
      const { ip_signups_1h: count, ip_signups_24h: day } = velocityOf(answer);
      expect(day).toBe(count);
      expect(codesOf(answer).includes('velocity_ip'), String(count)).toBe(count >= 5);
    }
  });

  it('counts the addresses of a domain in the same way, and finds a burst from the 6th on', async () => {
    const { live } = await cluster.account();
    const bodies = many(40).map((body, at) => ({ ...body, email: `jo${at}@one-harbour.com` }));
    const answers = await assessAll(live, bodies);
    expect(ascending(answers.map((answer) => velocityOf(answer).email_domain_1h))).toEqual(numbers(40));
    for (const answer of answers) {
      const count = velocityOf(answer).email_domain_1h;
      expect(codesOf(answer).includes('velocity_domain'), String(count)).toBe(count >= 6);
    }
  });

  it('triggers at the 5th attempt when each attempt reaches a different node than the previous one', async () => {
    const { live } = await cluster.account();
    for (const count of numbers(7)) {
      const client = cluster.clients[count % NODES] as Client;
      const answer = await client.assess(signup({ ip: '81.20.1.2' }), live);
      expect(velocityOf(answer).ip_signups_1h).toBe(count);
      expect(codesOf(answer).includes('velocity_ip'), String(count)).toBe(count >= 5);
    }
  });
});

describe('an assessment', () => {
  it('is the same text on every node, byte for byte, and accepts feedback from any node', async () => {
    const { live } = await cluster.account();
    const [first, second, third] = cluster.clients as [Client, Client, Client];
    const answer = await first.assess({ ...signup(), session_id: 'a é \u0000 \ud800' }, live);
    const { request_id: requestId } = answer.json;
    for (const client of cluster.clients) {
      expect((await client.get(requestId, live)).text).toBe(answer.text);
    }
    const feedback = { request_id: requestId, outcome: 'false_positive', note: 'a customer' };
    expect((await second.feedback(feedback, live)).status).toBe(200);
    expect((await third.feedback({ ...feedback, outcome: 'false_negative' }, live)).status).toBe(200);
    const rows = await cluster.sql<{ outcome: string; note: string }>(
      'SELECT outcome, note FROM feedback WHERE request_id = $1',
      [requestId],
    );
    expect(rows).toEqual([{ outcome: 'false_negative', note: 'a customer' }]);
  });
});
