/** The evidence of POST /v1/assess: mail exchanges and domain ages from real servers, lists and IP databases. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../support/client.ts';
import { until } from '../support/expectations.ts';
import { type Planted, plant } from '../support/plant.ts';
import { colleague, type Scene, startScene } from '../support/scene.ts';
import { readDecision } from '../support/stored.ts';

const DAY_MS = 86_400_000;

let scene: Scene;
/** Accounts of their own for those whom nobody writes to: many of them in one account are a list bombing. */
let phones: Planted;
let desks: Planted;
beforeAll(async () => {
  scene = await startScene({
    rdap: true,
    async prepare(installation) {
      phones = await plant(installation);
      desks = await plant(installation);
    },
  });
});
afterAll(() => scene?.end());

const assess = async (email: string, ip?: string) => (await scene.live.assess({ email, ip })).json;
const codesOf = ({ reasons }: Awaited<ReturnType<typeof assess>>) => reasons.map(({ code }) => code);
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS - 3_600_000).toISOString();

describe('the mail exchange', () => {
  it.each([
    ['none', {}, 'challenge'],
    ['null_mx', { mx: ['0 .'] }, 'challenge'],
    ['no_domain', { rcode: 'NXDOMAIN' }, 'block'],
  ] as const)('%s is a proven fault', async (mx_status, entry, verdict) => {
    const domain = `${mx_status.replace('_', '-')}-harbour.com`;
    scene.dns.set(domain, entry);
    const answer = await assess(`jo@${domain}`);
    expect(answer.signals.email).toMatchObject({ mx_status, mx_valid: false, domain });
    expect(answer).toMatchObject({ verdict, reasons: [{ code: 'email_deliverability', signal: 'email' }] });
  });

  it('valid adds no finding', async () => {
    scene.dns.set('valid-harbour.com', { mx: ['20 b.valid-harbour.com', '10 a.valid-harbour.com'] });
    const answer = await assess('jo@valid-harbour.com');
    expect(answer.signals.email).toMatchObject({ mx_status: 'valid', mx_valid: true });
    expect(answer).toMatchObject({ verdict: 'allow', score: 0, reasons: [] });
  });

  it.each([
    ['SERVFAIL', { rcode: 'SERVFAIL' }],
    ['REFUSED', { rcode: 'REFUSED' }],
    ['a reply that cannot be read', { malformed: true }],
    ['no reply', { drop: true }],
  ] as const)('unknown after %s, which is no fault', async (name, entry) => {
    const domain = `${name.replaceAll(' ', '-').toLowerCase()}-harbour.com`;
    scene.dns.set(domain, entry);
    const answer = await assess(`jo@${domain}`);
    expect(scene.dns.queries(domain)).toBeGreaterThan(0);
    expect(answer.signals.email).toMatchObject({ mx_status: 'unknown', mx_valid: true });
    expect(answer).toMatchObject({ verdict: 'allow', score: 0, reasons: [] });
  });

  it.each(['acme.internal', 'acme.newtld', 'shop.xn--nbekannt-55a'])(
    'as DNS says for %s, below an ending that the bundled list does not know',
    async (domain) => {
      scene.dns.set(domain, { mx: [`10 mx.${domain}`] });
      const answer = await assess(`jo@${domain}`);
      expect(answer.signals.email).toMatchObject({ mx_status: 'valid', mx_valid: true });
      expect(answer).toMatchObject({ verdict: 'allow', score: 0, reasons: [] });
      scene.dns.set(`silent-${domain}`, { drop: true });
      const unanswered = await assess(`jo@silent-${domain}`);
      expect(unanswered.signals.email).toMatchObject({ mx_status: 'unknown', mx_valid: true });
      expect(unanswered).toMatchObject({ verdict: 'allow', reasons: [] });
      scene.dns.set(`denied-${domain}`, { rcode: 'NXDOMAIN' });
      const denied = await assess(`jo@denied-${domain}`);
      expect(scene.dns.queries(`denied-${domain}`)).toBeGreaterThan(0);
      expect(denied.signals.email).toMatchObject({ mx_status: 'no_domain', mx_valid: false });
      expect(denied).toMatchObject({ verdict: 'block', reasons: [{ code: 'email_deliverability' }] });
    },
  );

  it('no_domain for a reserved name, without a question to anyone', async () => {
    const [queries, requests] = [scene.dns.queries(), scene.rdap.requests()];
    for (const domain of ['your-team.test', 'a.b.invalid', 'pc.localhost', 'printer.home.arpa']) {
      const answer = await assess(`jo@${domain}`);
      expect(answer.signals.email).toMatchObject({
        mx_status: 'no_domain',
        mx_valid: false,
        domain_age_days: -1,
      });
      expect(answer).toMatchObject({ verdict: 'block', reasons: [{ code: 'email_deliverability' }] });
    }
    expect(scene.dns.queries()).toBe(queries);
    expect(scene.rdap.requests()).toBe(requests);
  });

  it('is looked up again after the TTL of the answer, and not before', async () => {
    scene.dns.set('long-harbour.com', { mx: ['10 mx.long-harbour.com'], ttl: 300 });
    scene.dns.set('brief-harbour.com', { mx: ['10 mx.brief-harbour.com'], ttl: 1 });
    for (const domain of ['long-harbour.com', 'brief-harbour.com']) {
      expect((await assess(`jo@${domain}`)).signals.email.mx_status).toBe('valid');
      scene.dns.set(domain, { rcode: 'NXDOMAIN' });
    }
    const queries = scene.dns.queries('long-harbour.com');
    await until(async () => (await assess('jo@brief-harbour.com')).signals.email.mx_status === 'no_domain');
    expect((await assess('jo@long-harbour.com')).signals.email.mx_status).toBe('valid');
    expect(scene.dns.queries('long-harbour.com')).toBe(queries);
  });

  it('is looked up once, however many signups of a domain come at once', async () => {
    scene.dns.set('busy-harbour.com', { mx: ['10 mx.busy-harbour.com'], delayMs: 100 });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => assess(`jo${index}@busy-harbour.com`)),
    );
    expect(new Set(answers.map(({ signals }) => signals.email.mx_status))).toEqual(new Set(['valid']));
    // The single query is repeated to a server that takes long, as on a machine that pauses for a moment.
    expect(scene.dns.queries('busy-harbour.com')).toBeLessThanOrEqual(2);
  });
});

describe('a likely typing mistake', () => {
  it.each([
    ['gmial.com', { rcode: 'NXDOMAIN' }, 'no_domain'],
    ['gmail.con', { rcode: 'NXDOMAIN' }, 'no_domain'],
    ['yaho.com', { mx: ['10 mx.parked-harbour.com'] }, 'valid'],
  ] as const)(
    'of %s gets a challenge and a suggestion of the intended address',
    async (domain, entry, mx_status) => {
      scene.dns.set(domain, entry);
      const answer = await assess(` Jane.Doe+news@${domain}`);
      const intended = domain.startsWith('gm') ? 'gmail.com' : 'yahoo.com';
      expect(answer.signals.email).toMatchObject({ mx_status, did_you_mean: `jane.doe+news@${intended}` });
      expect(answer.verdict).toBe('challenge');
      expect(codesOf(answer)).toEqual(['email_deliverability', 'email_alias']);
      const stored = (await scene.live.get(answer.request_id)).json;
      expect(stored).toEqual(answer);
    },
  );

  it('is not suggested for a provider, or for an unrelated domain', async () => {
    for (const domain of ['ymail.com', 'mail.com', 'quiet-harbour.com'])
      expect((await assess(`jo@${domain}`)).signals.email).not.toHaveProperty('did_you_mean');
  });
});

describe('lists', () => {
  it('know a disposable domain and its sub-domains', async () => {
    for (const domain of ['mailinator.com', 'inbox.mailinator.com']) {
      const answer = await assess(`jo@${domain}`);
      expect(answer.signals.email).toMatchObject({ disposable: true, domain });
      expect(answer).toMatchObject({
        verdict: 'block',
        reasons: [{ code: 'email_disposable', signal: 'email' }],
      });
    }
  });

  it('know a relay and its sub-domains', async () => {
    for (const domain of ['duck.com', 'harbour.anonaddy.com']) {
      const answer = await assess(`jo@${domain}`);
      expect(answer.signals.email).toMatchObject({ relay_domain: true, disposable: false });
      expect(answer).toMatchObject({ verdict: 'allow', reasons: [{ code: 'email_relay', signal: 'email' }] });
    }
  });

  it('know a consumer provider', async () => {
    const answer = await assess('jo.harbour@outlook.com');
    expect(answer.signals.email).toMatchObject({ public_domain: true, disposable: false });
    expect(codesOf(answer)).toEqual(['email_consumer_provider']);
    expect(answer.verdict).toBe('allow');
  });

  it.each(['admin', 'info', 'support', 'sales'])('know the role %s', async (role) => {
    const answer = await assess(`${role}@role-harbour-${role}.com`);
    expect(answer.signals.email.role_account).toBe(true);
    expect(codesOf(answer)).toEqual(['email_role_account']);
    expect(answer.verdict).toBe('allow');
  });

  it.each(['vtext.com', 'txt.att.net', 'vmobile.ca', 'sms.tele2.se'])(
    'know the gateway %s from mail to text messages: allowed, and no mail is to be sent; the same when it is read again',
    async (gateway) => {
      const sent = await scene.live.assess({ email: `5551234567@${gateway}` }, phones.live);
      const answer = sent.json;
      expect(answer.signals.email).toMatchObject({ mail_unwanted: true, public_domain: false });
      expect(answer).toMatchObject({ verdict: 'allow', score: 8 });
      expect(codesOf(answer)).toEqual(['email_reputation']);
      expect((await scene.live.get(answer.request_id, phones.live)).text).toBe(sent.text);
      const { findings, evidence } = await readDecision(scene.installation, phones.id, answer.request_id);
      expect(evidence.email.victim).toBe('gateway');
      expect(findings.map(({ detail }) => detail)).toEqual([
        `${gateway} turns mail into text messages on a phone`,
      ]);
    },
  );

  it.each([
    ['abuse@desk-harbour.com', 'desk'],
    ['noc+form@desk-harbour.com', 'desk'],
    ['j.a.ne.harbour@gmail.com', 'dots'],
    ['jane.harbour@gmail.com', ''],
    ['jo@att.net', ''],
  ])('know of %s alone that it is %j, and say nothing of it', async (email, victim) => {
    const { json: answer } = await scene.live.assess({ email }, desks.live);
    expect(answer.signals.email).not.toHaveProperty('mail_unwanted');
    expect(answer.verdict).toBe('allow');
    expect(codesOf(answer)).not.toContain('email_reputation');
    expect((await readDecision(scene.installation, desks.id, answer.request_id)).evidence.email.victim).toBe(
      victim,
    );
  });

  it('are not needed for a + tag', async () => {
    const answer = await assess('jo+news@tag-harbour.com');
    expect(codesOf(answer)).toEqual(['email_alias']);
    expect(answer.verdict).toBe('allow');
  });

  it('say that a name looks generated, which alone and with free mail changes no verdict; a relay makes up its names', async () => {
    const answer = await assess('x7f9q2k1zp@gmail.com');
    expect(codesOf(answer)).toEqual(['email_reputation', 'email_consumer_provider']);
    expect(answer).toMatchObject({ verdict: 'allow', score: 13 });
    expect(codesOf(await assess('emma.jones1987@gmail.com'))).toEqual(['email_consumer_provider']);
    expect(codesOf(await assess('x7f9q2k1zp@duck.com'))).toEqual(['email_relay']);
  });

  it('add up, heaviest first; role, tag and consumer provider together are still allowed', async () => {
    const answer = await assess('admin+x@gmail.com');
    expect(codesOf(answer)).toEqual(['email_role_account', 'email_alias', 'email_consumer_provider']);
    expect(answer.verdict).toBe('allow');
    const worse = await assess('jo+x@mailinator.com', '52.95.110.1');
    expect(codesOf(worse)).toEqual(['email_disposable', 'ip_hosting', 'email_alias']);
    expect(worse.score).toBeGreaterThan(answer.score);
  });
});

describe('an IP', () => {
  it.each([
    ['79.192.0.1', 'DE', 'Germany', 'AS3320', false],
    ['2003:c0::1', 'DE', 'Germany', 'AS3320', false],
    ['73.1.1.1', 'US', 'United States', 'AS7922', false],
    ['52.95.110.1', 'US', 'United States', 'AS16509', true],
    ['2a01:4f8::1', 'DE', 'Germany', 'AS24940', true],
  ])(
    '%s has a country, an ASN, and is hosted or not',
    async (address, country_code, country, asn, datacenter) => {
      const answer = await assess(colleague('jo', `ip-harbour-${asn}.com`), address);
      expect(answer.signals.ip).toMatchObject({ address, country_code, country, asn, datacenter });
      expect(answer.reasons).toEqual(datacenter ? [{ code: 'ip_hosting', signal: 'ip' }] : []);
    },
  );

  it.each(['203.0.113.7', '192.0.2.1', '198.51.100.1', '2001:db8::1'])(
    '%s, of a documentation range, is usable, and nothing is known about it',
    async (address) => {
      const answer = await assess(colleague('jo', 'documented-harbour.com'), address);
      expect(answer).toMatchObject({ ip_provided: true, score: 0, reasons: [] });
      expect(answer.signals.ip).toMatchObject({ address, country_code: '', country: '', datacenter: false });
      expect(answer.signals.ip?.asn).toMatch(/^AS\d+$/);
    },
  );
});

/** An answer that came too late on a busy machine serves the next attempt. */
const assessAged = async (email: string, ip?: string) => {
  await until(async () => (await assess(email)).signals.email.domain_age_days >= 0);
  return assess(email, ip);
};

describe('a domain of 25 years that one list calls disposable', () => {
  /** Each on one collection of lists only. */
  const LISTED_ONCE = ['hotelmirandadodouro.com', 'unclebobscoupons.com', 'bohemiantoo.com'];

  it.each([
    ['at Google Workspace', ['1 aspmx.l.google.com', '5 alt1.aspmx.l.google.com'], 'allow', 20],
    ['at Microsoft 365', ['0 acme-com.mail.protection.outlook.com'], 'allow', 20],
    ['with a mail host of its own', ['10 mail.{domain}'], 'challenge', 40],
  ] as const)('%s is not blocked, whatever small findings there are', async (_, mx, verdict, score) => {
    const domain = LISTED_ONCE.pop() as string;
    scene.dns.set(domain, { mx: mx.map((host) => host.replace('{domain}', domain)) });
    scene.rdap.set(domain, { registered: daysAgo(25 * 365) });
    const answer = await assessAged(`jo@${domain}`);
    expect(answer).toMatchObject({ verdict, score, reasons: [{ code: 'email_reputation' }] });
    expect(answer.signals.email).toMatchObject({ disposable: false });
    const worse = await assess(`admin+x@${domain}`, '52.95.110.1');
    expect(codesOf(worse)).toEqual(
      expect.arrayContaining(['email_reputation', 'ip_hosting', 'email_role_account', 'email_alias']),
    );
    expect(worse.verdict).toBe('challenge');
  });
});

describe('the age of a domain', () => {
  it.each([
    [400, []],
    [30, []],
    [29, ['email_domain_new']],
    [5, ['email_domain_new']],
    [0, ['email_domain_new']],
  ])('of %i days is returned, and is a reason under 30', async (days, codes) => {
    scene.rdap.set(`aged-${days}-harbour.com`, { registered: daysAgo(days) });
    const answer = await assessAged(`jo@aged-${days}-harbour.com`);
    expect(answer.signals.email.domain_age_days).toBe(days);
    expect(codesOf(answer)).toEqual(codes);
  });

  it('is that of the registrable domain, looked up once for all its sub-domains', async () => {
    scene.rdap.set('parent-harbour.com', { registered: daysAgo(123) });
    for (const domain of ['mail.eu.parent-harbour.com', 'other.parent-harbour.com', 'parent-harbour.com']) {
      expect((await assessAged(`jo@${domain}`)).signals.email.domain_age_days).toBe(123);
    }
    expect(scene.rdap.requests('parent-harbour.com')).toBe(1);
    expect(scene.rdap.requests('mail.eu.parent-harbour.com')).toBe(0);
  });

  it.each([
    ['the registry does not list it', 'unlisted-harbour.com', { status: 404 }],
    ['the registry gives no registration date', 'dateless-harbour.com', {}],
    ['the registry fails', 'broken-harbour.com', { status: 500 }],
    ['its TLD has no registry to ask', 'harbour.ch', {}],
  ])('is −1, and no reason, when %s', async (_name, domain, entry) => {
    scene.rdap.set(domain, entry);
    const answer = await assess(`jo@${domain}`);
    expect(answer.signals.email.domain_age_days).toBe(-1);
    expect(answer).toMatchObject({ score: 0, reasons: [] });
  });

  it('is stored as a finding with detector, weight and detail, none of which is in the answer', async () => {
    scene.rdap.set('finding-harbour.com', { registered: daysAgo(5) });
    await assessAged('jo@finding-harbour.com');
    const answer = await scene.live.assess({ email: 'jo@finding-harbour.com' });
    const { findings } = await readDecision(scene.installation, scene.account.id, answer.json.request_id);
    expect(findings).toEqual([
      {
        detector: 'new_domain',
        code: 'email_domain_new',
        weight: answer.json.score,
        detail: 'domain registered 5 days ago',
      },
    ]);
    expect(answer.text).not.toMatch(/detector|weight|detail|registered 5/);
  });

  it('is −1 if the registry is late, and the late answer serves the next signup', async () => {
    scene.rdap.set('late-harbour.com', { registered: daysAgo(5), delayMs: 1_500 });
    const first = await assess('jo@late-harbour.com');
    expect(first.signals.email.domain_age_days).toBe(-1);
    expect(first.reasons).toEqual([]);
    expect(codesOf(await assessAged('jo@late-harbour.com'))).toEqual(['email_domain_new']);
    expect(scene.rdap.requests('late-harbour.com')).toBe(1);
  });

  it('is known after a restart without a request to anyone', async () => {
    scene.rdap.set('durable-harbour.com', { registered: daysAgo(77) });
    expect((await assessAged('jo@durable-harbour.com')).signals.email.domain_age_days).toBe(77);
    expect(await scene.service.stop()).toBe(0);
    const requests = scene.rdap.requests();
    const client = createClient((await scene.installation.start()).url, scene.account.live);
    const answer = await client.assess({ email: 'jo@durable-harbour.com' });
    expect(answer.json.signals.email.domain_age_days).toBe(77);
    expect(scene.rdap.requests()).toBe(requests);
    client.close();
  });
});
