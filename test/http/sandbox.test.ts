/** Sandbox keys: fixtures chosen by the address, without lists, DNS or counters. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Assessment } from '../../src/contract/messages.ts';
import { meterOf, problemOf } from '../support/expectations.ts';
import { type Planted, plant, plantKey } from '../support/plant.ts';
import { colleague, type Scene, startScene } from '../support/scene.ts';

const IP = '203.0.113.7';
const BLOCK = { verdict: 'block', score: 92, reasons: [{ code: 'email_disposable', signal: 'email' }] };
const ALLOW = { verdict: 'allow', score: 5, reasons: [] };
const challenge = (code: string) => ({
  verdict: 'challenge',
  score: 45,
  reasons: [{ code, signal: 'velocity' }],
});
const DISPOSABLE = [
  'mailinator.com',
  'guerrillamail.com',
  '10minutemail.com',
  'yopmail.com',
  'temp-mail.org',
  'tempmail.com',
  'trashmail.com',
  'sharklasers.com',
  'getnada.com',
  'maildrop.cc',
];

let scene: Scene;
let free: Planted;
let spent: Planted;
let strict: string;
beforeAll(async () => {
  scene = await startScene({
    async prepare(installation) {
      free = await plant(installation, { plan: 'free' });
      spent = await plant(installation, { monthlyQuota: 0 });
      strict = await plantKey(installation, spent.id, 'test', { thresholds: { challenge: 1, block: 2 } });
    },
  });
});
afterAll(() => scene?.end());

describe('the fixtures', () => {
  it.each(['block', 'BLOCK', 'block+1', 'block.me', 'block7', 'block-a', 'block_a', "block'a"])(
    'block for %s@example.com',
    async (local) => {
      const { json } = await scene.sandbox.assess({ email: `${local}@example.com`, ip: IP });
      expect(json).toMatchObject(BLOCK);
      expect(json.signals.email.disposable).toBe(true);
    },
  );

  it.each(DISPOSABLE)('block for the domain %s, whatever the local part', async (domain) => {
    for (const local of ['allow', 'challenge', 'jo']) {
      const { json } = await scene.sandbox.assess({ email: `${local}@${domain}` });
      expect(json).toMatchObject(BLOCK);
      expect(json.signals.email).toMatchObject({ disposable: true, domain });
    }
  });

  it.each(['challenge', 'Challenge', 'challenge+x', 'challenge.me', 'challenge1'])(
    'challenge for %s@example.com, by IP if there is a usable one, or else by domain',
    async (local) => {
      const email = `${local}@example.com`;
      const withIp = await scene.sandbox.assess({ email, ip: IP });
      expect(withIp.json).toMatchObject(challenge('velocity_ip'));
      expect(withIp.json.signals.velocity.ip_signups_1h).toBeGreaterThanOrEqual(5);
      for (const ip of [undefined, '10.0.0.1', 'localhost']) {
        const { json } = await scene.sandbox.assess({ email, ip });
        expect(json).toMatchObject(challenge('velocity_domain'));
        expect(json.signals.velocity.email_domain_1h).toBeGreaterThanOrEqual(6);
        expect(json.signals.velocity).toMatchObject({ ip_signups_1h: 0, ip_signups_24h: 0 });
      }
    },
  );

  it.each([
    'allow',
    'allow+1',
    'jo',
    'blocker',
    'blocks',
    'unblock',
    'blocké',
    'challenger',
    'challenges',
    'a.block',
  ])('allow for %s@example.com', async (local) => {
    const { json } = await scene.sandbox.assess({ email: `${local}@example.com`, ip: IP });
    expect(json).toMatchObject(ALLOW);
  });

  it('agree in their signals with their reasons', async () => {
    const { json } = await scene.sandbox.assess({ email: 'allow@example.com', ip: IP });
    const { email, ip, velocity } = json.signals;
    expect(email).toMatchObject({
      disposable: false,
      relay_domain: false,
      spam_domain: false,
      mx_valid: true,
    });
    expect(ip).toMatchObject({ address: IP, tor: false, vpn: false, proxy: false, datacenter: false });
    expect(velocity.ip_signups_1h).toBeLessThan(5);
    expect(velocity.email_domain_1h).toBeLessThan(6);
  });

  it('do not change with the thresholds of a key', async () => {
    for (const [email, verdict] of [
      ['allow@example.com', 'allow'],
      ['challenge@example.com', 'challenge'],
    ]) {
      expect((await scene.live.assess({ email }, strict)).json.verdict).toBe(verdict);
    }
  });
});

describe('a sandbox answer', () => {
  const lasting = ({ request_id, assessed_at, processed_ms, ...rest }: Assessment) => rest;

  it.each(['allow', 'challenge', 'block'])(
    'to %s is the same each time, except three fields',
    async (local) => {
      const body = { email: `${local}@example.com`, ip: IP, session_id: 's' };
      const answers = [];
      for (let count = 0; count < 10; count += 1) answers.push((await scene.sandbox.assess(body)).json);
      for (const answer of answers) expect(lasting(answer)).toEqual(lasting(answers[0] as Assessment));
      expect(new Set(answers.map(({ request_id }) => request_id)).size).toBe(10);
    },
  );

  it('uses no list, no IP database and no DNS', async () => {
    const domains = ['outlook.com', 'your-team.test', 'duck.com', 'quiet-harbour-works.com'];
    for (const domain of domains) {
      const { json } = await scene.sandbox.assess({ email: `admin+x@${domain}`, ip: '52.95.110.1' });
      expect(json).toMatchObject(ALLOW);
      expect(json.signals.email).toMatchObject({
        public_domain: false,
        role_account: false,
        relay_domain: false,
      });
      expect(json.signals.ip).toMatchObject({ datacenter: false, country_code: '' });
      expect(scene.dns.queries(domain)).toBe(0);
    }
  });

  it('is validated like a live one', async () => {
    const refusals = [
      [{}, 'missing_field', 'email'],
      [{ email: 'block' }, 'invalid_email', 'email'],
      [{ email: 'block@example.com', ip: '10.1' }, 'invalid_ip', 'ip'],
      [{ email: 'block@example.com', session_id: 1 }, 'missing_field', 'session_id'],
    ] as const;
    for (const [body, code, param] of refusals) {
      expect(problemOf(await scene.sandbox.assess(body))).toEqual({ status: 400, code, param });
    }
  });
});

describe('sandbox traffic', () => {
  it('has its own rate-limit bucket', async () => {
    const body = { email: 'allow@example.com' };
    const burst = (key: string) =>
      Promise.all(Array.from({ length: 16 }, () => scene.live.assess(body, key)));
    const admitted = (answers: { status: number }[]) => answers.filter(({ status }) => status === 200).length;
    const sandbox = await burst(free.test);
    expect(admitted(sandbox)).toBe(15);
    expect(problemOf(await scene.live.assess(body, free.test)).code).toBe('rate_limit');
    expect(admitted(await burst(free.live))).toBe(15);
  });

  it('uses no quota, and continues when the quota is used up', async () => {
    expect(problemOf(await scene.live.assess({ email: colleague('jo') }, spent.live)).code).toBe(
      'quota_exceeded',
    );
    const answer = await scene.live.assess({ email: 'allow@example.com' }, spent.test);
    expect(answer.status).toBe(200);
    expect(meterOf(answer)).toMatchObject({ used: 0, quota: 0 });
    expect((await scene.live.usage(spent.live)).json.assessments_used).toBe(0);
  });

  it('does not count for velocity', async () => {
    const body = { email: colleague('jo', 'calm-river-studio.com'), ip: '79.192.0.9' };
    for (let count = 0; count < 8; count += 1) await scene.sandbox.assess(body);
    const { json } = await scene.live.assess(body);
    expect(json.signals.velocity).toEqual({
      ip_signups_1h: 1,
      ip_signups_24h: 1,
      email_domain_1h: 1,
      email_domain_24h: 1,
    });
  });
});
