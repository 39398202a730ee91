/** POST /v1/assess: what it accepts, and its answers with status 200. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { meterOf, schemaCheck } from '../support/expectations.ts';
import { colleague, type Scene, startScene } from '../support/scene.ts';

const DOCUMENT = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../openapi.json'), 'utf8'));
const faultsOf = schemaCheck(DOCUMENT);
const RESIDENTIAL = '79.192.0.1';

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene?.end());

describe('200', () => {
  it('answers a clean live signup with every field of the contract and nothing else', async () => {
    const before = Math.floor(Date.now() / 1000) * 1000;
    const answer = await scene.live.assess({ email: colleague('jo'), ip: RESIDENTIAL, session_id: 's-1' });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^application\/json\b/);
    expect(faultsOf('Assessment', answer.json)).toEqual([]);
    const { request_id, processed_ms, assessed_at, ...rest } = answer.json;
    expect(request_id).toMatch(/^req_[0-9a-hjkmnp-tv-z]{26}$/);
    expect(processed_ms).toBeGreaterThanOrEqual(0);
    expect(Number.isInteger(processed_ms)).toBe(true);
    expect(assessed_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(Date.parse(assessed_at)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(assessed_at)).toBeLessThanOrEqual(Date.now());
    expect(rest).toEqual({
      session_id: 's-1',
      verdict: 'allow',
      score: 0,
      reasons: [],
      signals: {
        email: {
          disposable: false,
          relay_domain: false,
          spam_domain: false,
          domain: 'quiet-harbour-works.com',
          domain_age_days: -1,
          mx_valid: true,
          mx_status: 'valid',
          public_domain: false,
          role_account: false,
        },
        ip: {
          address: RESIDENTIAL,
          tor: false,
          vpn: false,
          proxy: false,
          relay: false,
          datacenter: false,
          abuse_score: 0,
          country_code: 'DE',
          country: 'Germany',
          asn: 'AS3320',
        },
        velocity: { ip_signups_1h: 1, ip_signups_24h: 1, email_domain_1h: 1, email_domain_24h: 1 },
      },
      ip_provided: true,
      ip_status: 'ok',
    });
  });

  it('answers a sandbox signup in the same shape', async () => {
    const answer = await scene.sandbox.assess({ email: 'challenge@example.com', ip: '203.0.113.7' });
    expect(answer.status).toBe(200);
    expect(faultsOf('Assessment', answer.json)).toEqual([]);
    expect(Object.keys(answer.json.signals.ip ?? {})).toHaveLength(10);
  });

  it('has no signals.ip and no IP reasons without a usable IP', async () => {
    const answer = await scene.live.assess({ email: colleague('no-ip', 'empty-orchard-press.com') });
    expect(faultsOf('Assessment', answer.json)).toEqual([]);
    expect(answer.json).toMatchObject({ ip_provided: false, ip_status: 'missing', reasons: [] });
    expect(Object.keys(answer.json.signals)).toEqual(['email', 'velocity']);
    expect(answer.json.signals.velocity).toMatchObject({ ip_signups_1h: 0, ip_signups_24h: 0 });
  });

  it('has the rate-limit and quota headers, and charges a live call one credit', async () => {
    const first = meterOf(await scene.live.assess({ email: colleague('meter') }));
    const second = meterOf(await scene.live.assess({ email: colleague('meter') }));
    expect(first).toMatchObject({ limit: 200, quota: 1_000_000 });
    expect(second.used).toBe(first.used + 1);
    expect(second.remaining).toBeLessThanOrEqual(600);
    expect(second.reset).toBeGreaterThanOrEqual(Math.floor(Date.now() / 1000));
  });

  it('gives every assessment its own id, and later ids sort after earlier ones', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      ids.push((await scene.sandbox.assess({ email: 'allow@example.com' })).json.request_id);
    }
    expect(new Set(ids).size).toBe(5);
    expect(ids.toSorted()).toEqual(ids);
  });

  it.each([
    ['  Jo.Doe@Quiet-Harbour-Works.COM\t', 'quiet-harbour-works.com'],
    ['jo@MÜNCHEN.de', 'xn--mnchen-3ya.de'],
    ['jo@xn--mnchen-3ya.de', 'xn--mnchen-3ya.de'],
    ['jo@例え.テスト', 'xn--r8jz45g.xn--zckzah'],
    ["o'neil_!#$%&*/=?^`{|}~-@a.b.quiet-harbour-works.com", 'a.b.quiet-harbour-works.com'],
    [
      `${'a'.repeat(254 - '@quiet-harbour-works.com'.length)}@quiet-harbour-works.com`,
      'quiet-harbour-works.com',
    ],
  ])('accepts the address %j', async (email, domain) => {
    const answer = await scene.live.assess({ email });
    expect(answer.status).toBe(200);
    expect(answer.json.signals.email.domain).toBe(domain);
  });

  it('ignores unknown members', async () => {
    const email = 'allow@example.com';
    const body = `{"email":"${email}","metadata":{"plan":1},"__proto__":{"ip":"1.2.3.4"},"verdict":"block"}`;
    const answer = await scene.sandbox.assess(body);
    expect(answer.json).toMatchObject({ verdict: 'allow', ip_status: 'missing' });
  });
});

describe('session_id', () => {
  it.each([
    ['plain', 'sess_42'],
    ['empty', ''],
    ['padded', '  two  spaces  '],
    ['of all planes', 'žluťoučký 🐎 \u202e שלום'],
    ['with quotes and controls', '"\\/\b\f\n\r\t\u0000\u001f\u007f\u2028'],
    ['with a lone surrogate', 'a\ud800b\udc00'],
    ['that is long', 'x'.repeat(10_000)],
  ])('is echoed verbatim, and again by GET, when it is %s', async (_name, session_id) => {
    const answer = await scene.sandbox.assess({ email: 'allow@example.com', session_id });
    expect(answer.json.session_id).toBe(session_id);
    const fetched = await scene.sandbox.get(answer.json.request_id);
    expect(fetched.json.session_id).toBe(session_id);
    expect(fetched.text).toBe(answer.text);
  });

  it.each([
    ['absent', {}],
    ['null', { session_id: null }],
  ])('leaves no field behind when it is %s', async (_name, sessionId) => {
    const answer = await scene.live.assess({ email: colleague('nobody'), ...sessionId });
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.json)).not.toContain('session_id');
  });
});

describe('ip_status', () => {
  const IGNORED = {
    missing: [undefined, null, '', ' \t'],
    ignored_localhost: ['localhost', 'LocalHost', 'localhost.', ' localhost '],
    ignored_loopback: ['127.0.0.1', '127.255.255.254', '0.0.0.0', '::1', '::', '::ffff:127.0.0.1'],
    ignored_private: [
      '10.0.0.1',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '169.254.1.1',
      '100.64.0.1',
      '100.127.255.255',
      '224.0.0.1',
      '240.0.0.1',
      '255.255.255.255',
      '0.1.2.3',
      '198.18.0.1',
      '::ffff:10.0.0.1',
      'fe80::1',
      'fc00::1',
      'fd12:3456::1',
      'ff02::1',
      '100::1',
    ],
  };

  it.each(Object.entries(IGNORED).flatMap(([status, ips]) => ips.map((ip) => ({ ip, status }))))(
    '$status for $ip: an assessment of the email alone',
    async ({ ip, status }) => {
      const { status: http, json } = await scene.live.assess({ email: colleague('ip'), ip });
      expect(http).toBe(200);
      expect(json).toMatchObject({ ip_provided: false, ip_status: status });
      expect(json.signals).not.toHaveProperty('ip');
      expect(json.signals.velocity).toMatchObject({ ip_signups_1h: 0, ip_signups_24h: 0 });
      expect(json.reasons.filter(({ signal }) => signal === 'ip')).toEqual([]);
    },
  );

  it.each([
    ['79.192.0.1', '79.192.0.1'],
    ['  79.192.0.2\n', '79.192.0.2'],
    ['::ffff:79.192.0.3', '79.192.0.3'],
    ['::FFFF:4FC0:0004', '79.192.0.4'],
    ['2003:00C0:0:0:0:0:0:00A1', '2003:c0::a1'],
    ['2003:c0:0:1:0:0:0:1', '2003:c0:0:1::1'],
    ['172.15.255.255', '172.15.255.255'],
    ['172.32.0.1', '172.32.0.1'],
    ['100.63.255.255', '100.63.255.255'],
    ['100.128.0.1', '100.128.0.1'],
    ['126.255.255.255', '126.255.255.255'],
    ['128.0.0.1', '128.0.0.1'],
    ['192.0.2.1', '192.0.2.1'],
    ['198.51.100.255', '198.51.100.255'],
    ['203.0.113.7', '203.0.113.7'],
    ['2001:DB8::7', '2001:db8::7'],
  ])('ok for %j, scored as %s', async (ip, address) => {
    const { json } = await scene.live.assess({ email: colleague('ip'), ip });
    expect(json).toMatchObject({ ip_provided: true, ip_status: 'ok' });
    expect(json.signals.ip?.address).toBe(address);
  });
});
