/** Knowledge of mail hosts that POST /v1/assess learns, and gets from upstreams. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startAbuseServer, type TestAbuseServer } from '../support/abuse-server.ts';
import { type Client, createClient } from '../support/client.ts';
import { until } from '../support/expectations.ts';
import { type Planted, plant } from '../support/plant.ts';
import { type Scene, startScene } from '../support/scene.ts';
import { readDecision } from '../support/stored.ts';

const LISTED = ['mailinator.com', 'yopmail.com', 'guerrillamail.com'];
/** Listed, too, each with another owner. */
const BOUGHT = [
  'trashmail.com',
  'sharklasers.com',
  'maildrop.cc',
  'getnada.com',
  '10minutemail.com',
  'temp-mail.org',
  'dispostable.com',
  'mailnesia.com',
];
const IP = '79.192.0.1';

const groundsOf = ({ installation, account }: Scene, requestId: string) =>
  readDecision(installation, account.id, requestId);

describe('mail hosts', () => {
  let scene: Scene;
  let second: Client;
  beforeAll(async () => {
    let other: Planted | undefined;
    scene = await startScene({
      prepare: async (installation) => {
        other = await plant(installation);
      },
    });
    second = createClient(scene.service.url, (other as Planted).live);
  });
  afterAll(async () => {
    second?.close();
    await scene?.end();
  });

  const assess = async (domain: string, mx: string, client: Client = scene.live) => {
    scene.dns.set(domain, { mx: [`10 ${mx}`] });
    return (await client.assess({ email: `jo@${domain}` })).json;
  };

  it('of listed domains that two accounts saw cause a challenge of an unlisted one, with a detail that names them', async () => {
    for (const domain of LISTED)
      for (const client of [scene.live, second])
        expect((await assess(domain, 'mx.bad.example', client)).verdict).toBe('block');
    const answer = await assess('fresh-harbour.com', 'mx.bad.example');
    expect(answer).toMatchObject({
      verdict: 'challenge',
      reasons: [{ code: 'email_disposable', signal: 'email' }],
      signals: { email: { disposable: true } },
    });
    const { findings, evidence } = await groundsOf(scene, answer.request_id);
    expect(findings).toEqual([
      {
        detector: 'disposable_mx',
        code: 'email_disposable',
        weight: 55,
        detail:
          'its mail is handled by mx.bad.example (*.bad.example), which serves 3 listed disposable domains',
      },
    ]);
    expect(evidence.email.hits).toEqual([
      { fact: 'disposable', source: 'mail-host', entry: '*.bad.example' },
    ]);
  });

  it('of an innocent domain cannot be flagged by one account, or by two bought domains', async () => {
    const bystander = 'mx.kind-harbour.com';
    for (const at of [0, 1, 2, 3, 4, 5, 6, 7]) await assess(`a.${BOUGHT[at]}`, bystander, second);
    for (const at of [0, 1]) await assess(`b.${BOUGHT[at]}`, bystander);
    for (const client of [scene.live, second]) {
      const answer = await assess('bakery-harbour.com', bystander, client);
      expect(answer).toMatchObject({ verdict: 'allow', score: 0, reasons: [] });
    }
  });

  it('that unrelated domains share are never flagged', async () => {
    // The resolver's answers for listed domains are cached, so each host uses its own domains.
    for (const [at, host] of ['aspmx.l.google.com', 'mx.zoho.com'].entries()) {
      for (const name of BOUGHT)
        for (const client of [scene.live, second]) await assess(`c${at}.${name}`, host, client);
      expect(await assess(`shared-harbour-${at}.com`, host)).toMatchObject({ score: 0, reasons: [] });
    }
  });

  it('of relays mark their customers’ domains as relays', async () => {
    const answer = await assess('hidden-harbour.com', 'mx1.simplelogin.co');
    expect(answer).toMatchObject({ verdict: 'allow', reasons: [{ code: 'email_relay' }] });
    expect(answer.signals.email).toMatchObject({ relay_domain: true, disposable: false });
  });

  it('are remembered after a restart', async () => {
    expect(await scene.service.stop()).toBe(0);
    const client = createClient((await scene.installation.start()).url, scene.account.live);
    let answer = await assess('after-harbour.com', 'mx.bad.example', client);
    // DNS answers that are late on a busy machine serve the next attempt.
    await until(async () => {
      answer = await assess('after-harbour.com', 'mx.bad.example', client);
      return answer.signals.email.mx_status === 'valid';
    });
    expect(answer).toMatchObject({ verdict: 'challenge', reasons: [{ code: 'email_disposable' }] });
    client.close();
  });
});

describe('upstreams', () => {
  let scene: Scene;
  let abuse: TestAbuseServer;
  beforeAll(async () => {
    abuse = await startAbuseServer();
    scene = await startScene({
      environment: {
        GATEHOUSE_ABUSEIPDB_KEY: 'a-key',
        GATEHOUSE_ABUSEIPDB_URL: abuse.url,
        GATEHOUSE_DNSBL_IP: 'ip.example.org',
        GATEHOUSE_DNSBL_DOMAIN: 'domains.example.org',
      },
    });
  });
  afterAll(async () => {
    await scene?.end();
    await abuse?.close();
  });

  it('raise the abuse score and the spam flag, each hit with its source', async () => {
    abuse.scores.set(IP, 60);
    scene.dns.set('1.0.192.79.ip.example.org', { a: ['127.0.0.2'] });
    scene.dns.set('spammy-harbour.com.domains.example.org', { a: ['127.0.1.2'] });
    // Answers that are late on a busy machine serve the next attempt.
    await until(
      async () => (await scene.live.assess({ email: 'jo@spammy-harbour.com', ip: IP })).json.score >= 70,
    );
    const { json } = await scene.live.assess({ email: 'jo@spammy-harbour.com', ip: IP });
    expect(json.signals.ip?.abuse_score).toBe(80);
    expect(json.signals.email.spam_domain).toBe(true);
    expect(json.reasons.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['email_reputation', 'ip_reputation']),
    );
    const { evidence } = await groundsOf(scene, json.request_id);
    expect(evidence.email.hits.map(({ source }) => source)).toContain('dnsbl:domains.example.org');
    expect(evidence.ip?.hits.map(({ source }) => source)).toEqual(
      expect.arrayContaining(['abuseipdb', 'dnsbl:ip.example.org']),
    );
  });

  it('get no questions about consumer providers, relays and special addresses', async () => {
    const before = abuse.queries.length;
    for (const domain of ['gmail.com', 'duck.com']) {
      scene.dns.set(`${domain}.domains.example.org`, { a: ['127.0.1.2'] });
      const { json } = await scene.live.assess({ email: `jo@${domain}`, ip: '203.0.113.7' });
      expect(json.signals.email.spam_domain).toBe(false);
      expect(scene.dns.queries(`${domain}.domains.example.org`)).toBe(0);
    }
    await scene.live.assess({ email: 'jo@gmail.com', ip: '192.168.0.1' });
    expect(abuse.queries.length).toBe(before);
    expect(scene.dns.queries('7.113.0.203.ip.example.org')).toBe(0);
  });

  it('that are dead are named in the evidence, and soon cause no delay', async () => {
    abuse.hang = true;
    let at = 0;
    const attempt = async () => {
      at += 1;
      return scene.live.assess({ email: `jo${at}@gmail.com`, ip: `79.193.${at >> 8}.${at & 255}` });
    };
    const first = await attempt();
    expect((await groundsOf(scene, first.json.request_id)).evidence.ip?.unknown).toEqual(['abuseipdb']);
    // A signup without a question does not wait.
    const countQuestions = async () => {
      const before = abuse.queries.length;
      await attempt();
      return abuse.queries.length - before;
    };
    // On a busy machine a question may arrive after the attempt is answered: several attempts without one show the difference.
    await until(async () => {
      for (let count = 0; count < 5; count += 1) if ((await countQuestions()) > 0) return false;
      return true;
    });
    let questions = 0;
    for (let count = 0; count < 40; count += 1) questions += await countQuestions();
    // The occasional probe.
    expect(questions).toBeLessThan(20);
  });
});
