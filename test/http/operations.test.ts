/** The basis of operation: probes, metrics, request ids, logs without people in them, and a graceful stop. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../support/client.ts';
import { problemOf, until } from '../support/expectations.ts';
import { plant, plantKey } from '../support/plant.ts';
import { PATIENT_SERVICE } from '../support/running-service.ts';
import { colleague, type Scene, startScene } from '../support/scene.ts';
import { createInstallation } from '../support/service.ts';
import { everythingStored, withStored } from '../support/stored.ts';

let scene: Scene;
let revoked: string;
beforeAll(async () => {
  // A separate process, because its output and its end are what an operator sees.
  scene = await startScene({ process: true, rdap: true, environment: { GATEHOUSE_LOG_LEVEL: 'debug' } });
  revoked = await plantKey(scene.installation, scene.account.id, 'live', { revokedAt: Date.now() });
});
afterAll(() => scene?.end());

describe('the probes', () => {
  it.each(['/healthz', '/readyz'])('%s answers 200 without a key', async (path) => {
    const answer = await scene.live.send({ path, key: null });
    expect(answer.status).toBe(200);
    expect(answer.json).toHaveProperty('status');
  });
});

describe('every answer', () => {
  it.each([
    '/healthz',
    '/metrics',
    '/v1/usage',
    '/v1/assess',
    '/v1/nothing',
    '/docs',
    '/dashboard/api/session',
  ])('of %s forbids content sniffing', async (path) => {
    const { headers } = await scene.live.send({ path });
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it.each(['/%6detrics', '/metric%73', '/%68ealthz', '/v1/%61ssess', '/dashboard%2Fapi/%73ession'])(
    'to %s is 404: a proxy that denies a path then denies all its spellings',
    async (path) => {
      expect(problemOf(await scene.live.send({ path }))).toEqual({ status: 404, code: 'not_found' });
    },
  );
});

describe('a separate listener', () => {
  it('serves metrics and health, which are not served elsewhere', async () => {
    const other = await createInstallation({ GATEHOUSE_METRICS_PORT: '0' });
    try {
      const service = await other.start();
      const url = /"url":"([^"]+)\/metrics"/.exec(service.output())?.[1] as string;
      const ask = async (origin: string, path: string) => {
        const answer = await fetch(origin + path);
        return [answer.status, (await answer.text()).includes('gatehouse_ready 1')];
      };
      expect(await ask(url, '/metrics')).toEqual([200, true]);
      for (const path of ['/healthz', '/readyz']) {
        expect(await ask(url, path)).toEqual([200, false]);
        expect(await ask(service.url, path)).toEqual([200, false]);
      }
      expect(await ask(service.url, '/metrics')).toEqual([404, false]);
      for (const path of ['/', '/docs', '/v1/usage', '/dashboard/api/session'])
        expect(await ask(url, path)).toEqual([404, false]);
      const refusal = await (await fetch(`${url}/docs`)).text();
      expect(refusal).toContain('This port serves only /metrics, /healthz and /readyz');
    } finally {
      await other.remove();
    }
  });
});

describe('/metrics', () => {
  const scrape = async () => (await scene.live.send({ path: '/metrics', key: null })).text;
  const sampleOf = (text: string, series: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.split(' ')[1] ?? 0,
    );

  it('is Prometheus text with a family for every promised metric', async () => {
    await scene.live.assess({ email: colleague('jo'), ip: '79.192.0.1' });
    const answer = await scene.live.send({ path: '/metrics', key: null });
    expect(answer.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    const families = [...answer.text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(
      ([, name, type]) => `${name} ${type}`,
    );
    expect(families).toEqual(
      expect.arrayContaining([
        'gatehouse_ready gauge',
        'gatehouse_build_info gauge',
        'gatehouse_reasons_total counter',
        'gatehouse_requests_total counter',
        'gatehouse_request_seconds histogram',
        'gatehouse_gatherer_seconds histogram',
        'gatehouse_dns_seconds histogram',
        'gatehouse_rdap_seconds histogram',
        'gatehouse_commit_batch_size histogram',
        'gatehouse_nodejs_eventloop_lag_seconds gauge',
      ]),
    );
    for (const gatherer of ['email', 'ip', 'velocity']) {
      expect(
        sampleOf(answer.text, `gatehouse_gatherer_seconds_count{gatherer="${gatherer}"}`),
      ).toBeGreaterThan(0);
    }
    expect(answer.text).toMatch(/^gatehouse_dns_seconds_count\{outcome="valid"\} [1-9]/m);
    expect(answer.text).toMatch(/^gatehouse_rdap_seconds_count\{outcome="\w+"\} [1-9]/m);
    expect(sampleOf(answer.text, 'gatehouse_commit_batch_size_count')).toBeGreaterThan(0);
  });

  it('counts live signups by reason and verdict, and none of the sandbox', async () => {
    const series = 'gatehouse_reasons_total{code="email_deliverability",verdict="block"}';
    const sandbox = 'gatehouse_reasons_total{code="email_disposable",verdict="block"}';
    const before = await scrape();
    await scene.live.assess({ email: 'jo@your-team.test' });
    await scene.sandbox.assess({ email: 'block@example.com' });
    const after = await scrape();
    expect(sampleOf(after, series)).toBe(sampleOf(before, series) + 1);
    expect(sampleOf(after, sandbox)).toBe(sampleOf(before, sandbox));
  });

  it('names its build, and no gauge is named like a counter', async () => {
    const text = await scrape();
    expect(text).toMatch(/^gatehouse_build_info\{version="\d+\.\d+\.\d+",node="v\d+\.[^"]+"\} 1$/m);
    const gauges = [...text.matchAll(/^# TYPE (\S+) gauge$/gm)].map(([, name]) => name);
    expect(gauges).toContain('gatehouse_nodejs_active_handles');
    expect(gauges.filter((name) => name?.endsWith('_total'))).toEqual([]);
  });

  it('counts requests by operation, status and verdict', async () => {
    const series = {
      blocked: 'gatehouse_requests_total{operation="assessSignup",status="200",verdict="block"}',
      refused: 'gatehouse_requests_total{operation="assessSignup",status="400",verdict=""}',
      unknown: 'gatehouse_requests_total{operation="getAssessment",status="400",verdict=""}',
      usage: 'gatehouse_requests_total{operation="getUsage",status="200",verdict=""}',
    };
    const before = await scrape();
    await scene.live.assess({ email: 'jo@your-team.test' });
    await scene.live.assess({ email: 'jo' });
    await scene.live.get('req_unknown');
    await scene.live.usage();
    await until(async () => sampleOf(await scrape(), series.usage) > sampleOf(before, series.usage));
    const after = await scrape();
    for (const name of Object.values(series))
      expect(sampleOf(after, name) - sampleOf(before, name), name).toBe(1);
  });
});

describe('X-Request-Id', () => {
  it('is in every answer, is new each time, and finds the request in the log', async () => {
    const answers = [
      await scene.live.assess({ email: colleague('jo') }),
      await scene.live.assess({ email: 'jo' }),
      await scene.live.assess({}, null),
      await scene.live.usage(),
      await scene.live.send({ path: '/nowhere' }),
      await scene.live.send({ method: 'PUT', path: '/v1/assess' }),
      await scene.live.send({ path: '/healthz' }),
    ];
    const ids = answers.map(({ headers }) => headers['x-request-id'] as string);
    expect(new Set(ids).size).toBe(answers.length);
    for (const id of ids) {
      expect(id).toMatch(/^\w{8,}$/);
      await until(() => scene.service.output().includes(id));
    }
  });
});

describe('the log', () => {
  const lines = () =>
    scene.service
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'));

  it('is JSON with one line for every request at level debug, and names neither people nor keys', async () => {
    const [name, ip, ip6] = ['zebulon.quagmire', '79.192.77.33', '2003:c0:77:33::9'];
    const email = `${name}@private-harbour.com`;
    const wrong = 'sk_live_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz';
    const { json } = await scene.live.assess({ email, ip, session_id: 'session-of-zebulon' });
    await scene.live.assess({ email: email.toUpperCase(), ip: ip6 });
    await scene.sandbox.assess({ email, ip });
    await scene.live.assess(`{"email":"${email}","ip":"${ip}"`);
    await scene.live.assess({ email: `${name}@private`, ip });
    await scene.live.assess({ email, ip: `${ip}.1` });
    await scene.live.feedback({
      request_id: json.request_id,
      outcome: 'false_negative',
      note: `called ${email}`,
    });
    await scene.live.get(encodeURIComponent(email));
    await scene.live.send({ path: `/v1/usage?email=${encodeURIComponent(email)}&ip=${ip}` });
    await scene.live.send({ path: `/lost/${email}/${ip}` });
    await scene.live.usage(wrong);
    await scene.live.usage(revoked);
    const last = await scene.live.send({
      path: '/healthz',
      headers: { 'x-forwarded-for': ip, 'user-agent': email },
    });
    await until(() => scene.service.output().includes(last.headers['x-request-id'] as string));

    expect(lines().length).toBeGreaterThan(12);
    for (const line of lines()) expect(() => JSON.parse(line), line).not.toThrow();
    const text = scene.service.output().toLowerCase();
    const secrets = [scene.account.live, scene.account.test, revoked, wrong].map((key) => key.slice(12));
    for (const word of [name, 'zebulon', 'quagmire', ip, ip6, ...secrets]) {
      expect(text).not.toContain(word.toLowerCase());
    }
  });
});

describe('stored data', () => {
  async function contains(text: string, installation = scene.installation): Promise<boolean> {
    const pieces = await everythingStored(installation);
    expect(pieces.length).toBeGreaterThan(0);
    return pieces.some((bytes) => bytes.includes(text));
  }

  it('contain the domain and a masked form of an address, and no key', async () => {
    const email = 'wilhelmina.secret@kept-harbour.com';
    const { request_id: requestId } = (await scene.live.assess({ email, ip: '79.192.0.1' })).json;
    expect(await contains('kept-harbour.com')).toBe(true);
    const reader = { accountId: scene.account.id, mode: 'live' } as const;
    const stored = await withStored(scene.installation, (store) => store.findStored(requestId, reader));
    expect(stored).toMatchObject({ emailMasked: 'w***@kept-harbour.com', email: null });
    for (const word of ['wilhelmina', email, scene.account.live, scene.account.test]) {
      expect(await contains(word), word).toBe(false);
    }
  });

  it('contain the full address if the operator has set this', async () => {
    const environment = { GATEHOUSE_DNS_SERVERS: scene.dns.address, GATEHOUSE_STORE_EMAILS: 'on' };
    const open = await createInstallation(environment);
    onTestFinished(open.remove);
    const { live } = await plant(open);
    const service = await open.start();
    const client = createClient(service.url, live);
    await client.assess({ email: 'leopold.open@kept-harbour.com' });
    expect(await contains('leopold.open@kept-harbour.com', open)).toBe(true);
    client.close();
    expect(await service.stop()).toBe(0);
  });
});

describe('a graceful stop', () => {
  it('ends with status 0', async () => {
    expect(await scene.service.stop()).toBe(0);
  });

  it('answers and stores everything that was accepted', async () => {
    // On a busy machine a service refuses what it could answer only late, as it should; here nothing may be refused.
    const environment = { GATEHOUSE_SHED_AFTER_MS: 'off' };
    const scene = await startScene({ process: true, program: PATIENT_SERVICE, environment });
    onTestFinished(scene.end);
    const domains = Array.from({ length: 40 }, (_, at) => `parting-harbour-${at}.com`);
    for (const domain of domains) scene.dns.set(domain, { mx: ['10 mx.example.net'], delayMs: 600 });
    const answering = domains.map((domain) => scene.live.assess({ email: `jo@${domain}` }));
    await until(() => domains.every((domain) => scene.dns.queries(domain) > 0));
    const stopped = scene.service.stop();
    const answers = await Promise.all(answering);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await stopped).toBe(0);
    await expect(scene.live.usage()).rejects.toThrow(/ECONN|hang up/);

    const client = createClient((await scene.installation.start()).url, scene.account.live);
    for (const { json, text } of answers) expect((await client.get(json.request_id)).text).toBe(text);
    client.close();
  });
});
