/** Velocity: the answers to a burst of signups from one IP, of one domain or into one mailbox. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Assessment } from '../../src/contract/messages.ts';
import { problemOf, until } from '../support/expectations.ts';
import { type Planted, plant, plantKey } from '../support/plant.ts';
import { type Scene, startScene } from '../support/scene.ts';

let scene: Scene;
let other: Planted;
let capped: Planted;
let secondKey: string;
let attempts = 0;
beforeAll(async () => {
  scene = await startScene({
    async prepare(installation) {
      other = await plant(installation);
      capped = await plant(installation, { monthlyQuota: 2 });
      secondKey = await plantKey(installation, capped.id, 'live');
    },
  });
});
afterAll(() => scene?.end());

const assess = async (body: { email: string; ip?: string }, key = scene.account.live) => {
  const answer = await scene.live.assess(body, key);
  expect(answer.status).toBe(200);
  return answer.json;
};
/** A signup with its own domain, so that only its IP is counted. */
const from = (ip: string, key?: string) => {
  attempts += 1;
  return assess({ email: `jo@velocity-harbour-${attempts}.com`, ip }, key);
};
const codesOf = ({ reasons }: Assessment) => reasons.map(({ code }) => code);
const counts = ({ signals }: Assessment) => signals.velocity;
const names = (count: number, domain: string) =>
  Array.from({ length: count }, (_, at) => `jo${at}@${domain}`);

describe('velocity_ip', () => {
  it('is found from the 5th attempt of an IP on, and weighs more with each doubling', async () => {
    const answers: Assessment[] = [];
    for (let count = 0; count < 50; count += 1) {
      answers.push(await from('79.192.1.1'));
      // Others come too: an address that most signups of a key have is nobody's.
      await from(`79.192.4.${count + 1}`);
    }
    for (const [at, answer] of answers.entries()) {
      expect(counts(answer)).toMatchObject({ ip_signups_1h: at + 1, ip_signups_24h: at + 1 });
      expect(codesOf(answer)).toEqual(at + 1 < 5 ? [] : ['velocity_ip']);
    }
    expect(answers[3]).toMatchObject({ score: 0, verdict: 'allow' });
    expect(answers[4]).toMatchObject({ score: 10, verdict: 'allow' });
    expect(answers[15]?.verdict).toBe('allow');
    expect(answers[19]?.verdict).toBe('challenge');
    // However many people come: that they come together never blocks.
    expect(answers[49]?.verdict).toBe('challenge');
    const scores = answers.map(({ score }) => score);
    expect(scores.toSorted((a, b) => a - b)).toEqual(scores);
  });

  it('counts every attempt, also those of one address', async () => {
    const body = { email: 'jo@same-harbour.com', ip: '79.192.1.2' };
    for (let count = 1; count <= 3; count += 1) {
      expect(counts(await assess(body))).toMatchObject({ ip_signups_1h: count, email_domain_1h: 1 });
    }
  });

  it('counts an IPv6 address by its /64', async () => {
    const within = [
      '2003:c0:1:2::1',
      '2003:c0:1:2::2',
      '2003:c0:1:2:ffff::1',
      '2003:c0:1:2:0:1:2:3',
      '2003:c0:1:2::',
    ];
    for (const [at, ip] of within.entries()) {
      const answer = await from(ip);
      expect(counts(answer).ip_signups_1h).toBe(at + 1);
      expect(codesOf(answer)).toEqual(at < 4 ? [] : ['velocity_ip']);
    }
    expect(counts(await from('2003:c0:1:3::1')).ip_signups_1h).toBe(1);
  });

  it('counts an IPv4 address and its mapped form as one', async () => {
    expect(counts(await from('79.192.1.3')).ip_signups_1h).toBe(1);
    expect(counts(await from('::ffff:79.192.1.3')).ip_signups_1h).toBe(2);
    expect(counts(await from('79.192.1.4')).ip_signups_1h).toBe(1);
  });
});

describe('velocity_domain', () => {
  it('is found from the 6th distinct address of a domain on', async () => {
    const answers: Assessment[] = [];
    for (const email of names(7, 'burst-harbour.com')) answers.push(await assess({ email }));
    for (const [at, answer] of answers.entries()) {
      expect(counts(answer)).toMatchObject({
        email_domain_1h: at + 1,
        email_domain_24h: at + 1,
        ip_signups_1h: 0,
      });
      expect(codesOf(answer)).toEqual(at + 1 < 6 ? [] : ['velocity_domain']);
    }
    expect(answers[5]).toMatchObject({ score: 10, verdict: 'allow' });
    expect(answers[6]?.score).toBeGreaterThanOrEqual(answers[5]?.score as number);
  });

  it('counts an address once, in any spelling', async () => {
    for (const email of ['jo@once-harbour.com', ' JO@once-harbour.com ', 'Jo@ONCE-harbour.COM']) {
      expect(counts(await assess({ email })).email_domain_1h).toBe(1);
    }
    expect(counts(await assess({ email: 'al@once-harbour.com' })).email_domain_1h).toBe(2);
  });

  it('is found for a consumer provider too, with a very small weight', async () => {
    const answers: Assessment[] = [];
    for (const email of names(6, 'outlook.com')) answers.push(await assess({ email }));
    const [fifth, sixth] = answers.slice(4) as [Assessment, Assessment];
    expect(codesOf(fifth)).toEqual(['email_consumer_provider']);
    expect(codesOf(sixth)).toEqual(['email_consumer_provider', 'velocity_domain']);
    expect(sixth.score - fifth.score).toBeLessThanOrEqual(1);
    expect(sixth.verdict).toBe('allow');
  });
});

describe('a mailbox farm', () => {
  it.each([
    ['Gmail', ['jo.harbour@gmail.com', 'joharbour@googlemail.com', 'j.o.harbour+shop@gmail.com']],
    ['Yahoo', ['jo@yahoo.com', 'jo-shop@yahoo.com', 'jo-news@yahoo.com']],
    ['Fastmail', ['jo@fastmail.com', 'shop@jo.fastmail.com', 'news@jo.fastmail.com']],
    ['any other provider', ['jo@farm-harbour.com', 'jo+shop@farm-harbour.com', 'jo+news@farm-harbour.com']],
  ])('at %s is found at the third spelling of one inbox', async (_name, spellings) => {
    const answers: Assessment[] = [];
    for (const email of spellings) answers.push(await assess({ email }));
    const [first, second, third] = answers as [Assessment, Assessment, Assessment];
    expect(codesOf(first)).not.toContain('velocity_domain');
    expect(codesOf(second)).not.toContain('velocity_domain');
    expect(third.reasons[0]).toEqual({ code: 'velocity_domain', signal: 'velocity' });
    expect(third.score).toBeGreaterThan(second.score + 15);
    expect(counts(third).email_domain_1h).toBeLessThan(6);
  });

  it('weighs more with every further spelling', async () => {
    const scores: number[] = [];
    for (const dotted of ['abcdef', 'a.bcdef', 'ab.cdef', 'abc.def', 'abcd.ef', 'abcde.f']) {
      scores.push((await assess({ email: `${dotted}@gmail.com` }, other.live)).score);
    }
    expect(scores[5]).toBeGreaterThan(scores[2] as number);
    expect(scores[2]).toBeGreaterThan(scores[1] as number);
  });

  it('is not detected if dots make different inboxes, or if the same address returns', async () => {
    for (const email of ['a.b@plain-harbour.com', 'ab@plain-harbour.com', 'a.b.@plain-harbour.com']) {
      expect(codesOf(await assess({ email }))).toEqual([]);
    }
    for (let count = 0; count < 4; count += 1) {
      expect(codesOf(await assess({ email: 'again@plain-harbour.com' }))).toEqual([]);
    }
  });
});

describe('what is counted', () => {
  it('is the traffic of one account, with all its live keys', async () => {
    const body = { email: 'jo@shared-harbour.com', ip: '79.192.2.1' };
    expect(counts(await assess(body)).ip_signups_1h).toBe(1);
    expect(counts(await assess(body, other.live)).ip_signups_1h).toBe(1);
    expect(counts(await assess(body, capped.live)).ip_signups_1h).toBe(1);
    expect(counts(await assess(body, secondKey)).ip_signups_1h).toBe(2);
  });

  it('excludes sandbox calls and calls that fail validation', async () => {
    const ip = '79.192.2.2';
    const email = 'jo@left-out-harbour.com';
    for (let count = 0; count < 6; count += 1) {
      await scene.sandbox.assess({ email: `jo${count}@left-out-harbour.com`, ip });
      await scene.live.assess({ email: `jo${count}@left-out-harbour`, ip });
      await scene.live.assess({ email, ip, session_id: 1 });
    }
    expect(counts(await assess({ email, ip }))).toEqual({
      ip_signups_1h: 1,
      ip_signups_24h: 1,
      email_domain_1h: 1,
      email_domain_24h: 1,
    });
  });

  it('excludes calls refused at the quota', async () => {
    const body = { email: 'jo@refused-harbour.com', ip: '79.192.2.3' };
    for (let count = 0; count < 3; count += 1) {
      expect(problemOf(await scene.live.assess(body, capped.live)).code).toBe('quota_exceeded');
    }
    await scene.installation.json('account', 'set', capped.id, '--monthly-quota', '9');
    await until(async () => (await scene.live.usage(capped.live)).json.assessments_limit === 9);
    expect(counts(await assess(body, capped.live)).ip_signups_1h).toBe(1);
  });
});
