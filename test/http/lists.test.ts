/** Own lists: entries added by the command line while the service runs, and their effect on an assessment. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Assessment } from '../../src/contract/messages.ts';
import type { ListEntry } from '../../src/model/list-entry.ts';
import { until } from '../support/expectations.ts';
import { patienceMs } from '../support/long-version.ts';
import { type Planted, plant } from '../support/plant.ts';
import { colleague, type Scene, startScene } from '../support/scene.ts';
import { readDecision, withStored } from '../support/stored.ts';

const HOLDS_WITHIN_MS = patienceMs(1_000);
const HOSTED_IP = '52.95.110.1';
const BLOCK = '52.95.110.0/24';

interface Shown {
  readonly id: string;
  readonly value: string;
  readonly hits: number;
  readonly last_hit_at: string | null;
}

let scene: Scene;
/** Each test has its own account, so that it never meets the entries of another test. */
const fresh: Planted[] = [];
let other: Planted;
beforeAll(async () => {
  scene = await startScene({
    async prepare(installation) {
      other = await plant(installation);
      for (let count = 0; count < 12; count += 1) fresh.push(await plant(installation));
    },
  });
});
afterAll(() => scene?.end());

const newAccount = () => fresh.pop() as Planted;
const add = ({ id }: Planted, ...args: string[]) =>
  scene.installation.json<{ id: string }>('list', 'add', '--account', id, ...args);
const remove = ({ id }: Planted, entry: string) =>
  scene.installation.json('list', 'remove', '--account', id, entry);
const show = ({ id }: Planted) => scene.installation.json<Shown[]>('list', 'show', '--account', id);
const assess = async (body: { email: string; ip?: string }, { live }: Planted): Promise<Assessment> => {
  const answer = await scene.live.assess(body, live);
  expect(answer.status).toBe(200);
  return answer.json;
};
const judged = async (body: { email: string; ip?: string }, account: Planted) => {
  const { verdict, score, reasons } = await assess(body, account);
  return { verdict, score, codes: reasons.map(({ code }) => code) };
};
const expectSoon = (body: { email: string; ip?: string }, account: Planted) =>
  expect.poll(() => judged(body, account), { timeout: HOLDS_WITHIN_MS, interval: 20 });
const groundsOf = ({ request_id }: Assessment, { id }: Planted) =>
  readDecision(scene.installation, id, request_id);

const ALLOWED = { verdict: 'allow', score: 0, codes: [] };
const denied = (code: string) => ({ verdict: 'block', score: 100, codes: [code] });
const CLEAN = { email: colleague('jo') };
const DISPOSABLE = { email: 'jo@mailinator.com', ip: HOSTED_IP };

describe('an entry that is added while the service runs', () => {
  it('takes effect within a second, for its account only, until it is removed', async () => {
    const account = newAccount();
    expect((await judged(DISPOSABLE, account)).verdict).toBe('block');
    await add(account, '--allow', 'mailinator.com', '--reason', 'our own test team');
    await expectSoon(DISPOSABLE, account).toEqual(ALLOWED);
    const answer = await assess(DISPOSABLE, account);
    // Signals stay the same: only the judgement differs.
    expect(answer.signals.email.disposable).toBe(true);
    expect(answer.signals.ip?.datacenter).toBe(true);
    expect((await judged(DISPOSABLE, other)).verdict).toBe('block');
    expect(await groundsOf(answer, account)).toMatchObject({
      findings: [],
      evidence: {
        email: { disposable: true },
        list: { action: 'allow', kind: 'domain', value: 'mailinator.com', reason: 'our own test team' },
      },
    });
    await remove(account, 'mailinator.com');
    await expect
      .poll(async () => (await judged(DISPOSABLE, account)).verdict, {
        timeout: HOLDS_WITHIN_MS,
        interval: 20,
      })
      .toBe('block');
  });

  it('that denies blocks a signup without any other finding', async () => {
    const account = newAccount();
    expect(await judged(CLEAN, account)).toEqual(ALLOWED);
    await add(account, '--deny', 'quiet-harbour-works.com', '--reason', 'charged back');
    await expectSoon(CLEAN, account).toEqual(denied('email_reputation'));
    const below = { email: 'al@mail.quiet-harbour-works.com' };
    expect(await judged(below, account)).toEqual(denied('email_reputation'));
    expect(await judged(CLEAN, other)).toEqual(ALLOWED);
    expect((await groundsOf(await assess(CLEAN, account), account)).findings).toEqual([
      {
        detector: 'deny_list',
        code: 'email_reputation',
        weight: 100,
        detail: 'quiet-harbour-works.com is on the account’s Block list: charged back',
      },
    ]);
  });

  it('ends when it expires', async () => {
    const account = newAccount();
    const deny = await add(account, '--deny', 'quiet-harbour-works.com', '--expires', '1h');
    await expectSoon(CLEAN, account).toEqual(denied('email_reputation'));
    // Moved earlier in the store itself: a command may take longer than a test should wait.
    const ends = await withStored(scene.installation, async (store) => {
      const [entry] = await store.listEntries(account.id);
      expect(entry?.id).toBe(deny.id);
      const expiresAt = Date.now() + 2_000;
      await store.saveListEntry({ ...(entry as ListEntry), expiresAt });
      return expiresAt;
    });
    await until(() => Date.now() >= ends);
    expect(await judged(CLEAN, account)).toEqual(ALLOWED);
  });
});

describe('of several entries', () => {
  it('the narrower one decides: country, AS number, domain, block, IP, mailbox, address', async () => {
    const account = newAccount();
    const body = { email: colleague('precise'), ip: HOSTED_IP };
    const { signals } = await assess(body, account);
    const steps: [action: string, value: string, outcome: object, ...more: string[]][] = [
      ['--deny', signals.ip?.country_code as string, denied('ip_reputation')],
      ['--allow', signals.ip?.asn as string, ALLOWED],
      ['--deny', 'quiet-harbour-works.com', denied('email_reputation')],
      ['--allow', BLOCK, ALLOWED],
      ['--deny', HOSTED_IP, denied('ip_reputation')],
      ['--allow', body.email, ALLOWED],
      ['--deny', body.email, denied('email_reputation'), '--exact'],
    ];
    for (const [action, value, outcome, ...more] of steps) {
      await add(account, action, value, ...more);
      await expectSoon(body, account).toEqual(outcome);
    }
    // Without an IP only entries for the address remain.
    expect(await judged({ email: colleague('other') }, account)).toEqual(denied('email_reputation'));
  }, 240_000);

  it('with the same value, the one that allows decides', async () => {
    const account = newAccount();
    await add(account, '--allow', 'mailinator.com');
    await add(account, '--deny', 'mailinator.com');
    await expectSoon(DISPOSABLE, account).toEqual(ALLOWED);
    const [allowing] = await show(account);
    await remove(account, allowing?.id as string);
    await expectSoon(DISPOSABLE, account).toEqual(denied('email_reputation'));
  });
});

describe('an assessment that a list decides', () => {
  it('is charged and counted like any other', async () => {
    const account = newAccount();
    await add(account, '--deny', '79.192.7.0/24');
    const body = { email: colleague('counted'), ip: '79.192.7.7' };
    await expectSoon(body, account).toEqual(denied('ip_reputation'));
    const before = (await scene.live.usage(account.live)).json.assessments_used;
    const first = await assess(body, account);
    const second = await assess(body, account);
    expect(second.signals.velocity.ip_signups_1h).toBe(first.signals.velocity.ip_signups_1h + 1);
    expect((await scene.live.usage(account.live)).json.assessments_used).toBe(before + 2);
  });

  it('does not affect a sandbox key', async () => {
    const account = newAccount();
    await add(account, '--deny', 'quiet-harbour-works.com');
    await expectSoon(CLEAN, account).toEqual(denied('email_reputation'));
    expect((await scene.live.assess(CLEAN, account.test)).json).toMatchObject({ verdict: 'allow', score: 5 });
  });
});

describe('an entry for an address', () => {
  const SPELLINGS = ['j.doe@gmail.com', 'jdoe+x@gmail.com', 'J.D.O.E@googlemail.com'];
  const areBlocked = (account: Planted) =>
    Promise.all(SPELLINGS.map(async (email) => (await judged({ email }, account)).verdict === 'block'));

  it('covers the aliases of its mailbox, unless it is exact', async () => {
    const account = newAccount();
    await add(account, '--deny', 'j.doe@gmail.com');
    await expect.poll(() => areBlocked(account), { timeout: HOLDS_WITHIN_MS }).toEqual([true, true, true]);
    expect((await judged({ email: 'j.doe2@gmail.com' }, account)).verdict).toBe('allow');
    const answer = await assess({ email: 'jdoe+y@gmail.com' }, account);
    expect((await groundsOf(answer, account)).evidence.list).toMatchObject({ kind: 'mailbox' });
    await remove(account, 'jdoe@gmail.com');
    await add(account, '--deny', 'j.doe@gmail.com', '--exact');
    await expect.poll(() => areBlocked(account), { timeout: HOLDS_WITHIN_MS }).toEqual([true, false, false]);
  });

  it('that is exact decides before one for the mailbox, whatever either says', async () => {
    const account = newAccount();
    await add(account, '--deny', 'jdoe@gmail.com');
    await add(account, '--allow', 'j.doe@gmail.com', '--exact');
    await expect.poll(() => areBlocked(account), { timeout: HOLDS_WITHIN_MS }).toEqual([false, true, true]);
    await add(account, '--allow', 'jdoe@gmail.com');
    await expect.poll(() => areBlocked(account), { timeout: HOLDS_WITHIN_MS }).toEqual([false, false, false]);
    await add(account, '--deny', 'JDOE+X@gmail.com', '--exact');
    await expect.poll(() => areBlocked(account), { timeout: HOLDS_WITHIN_MS }).toEqual([false, true, false]);
  });

  it('matches the address in every spelling, shows it masked, and is never stored in full', async () => {
    const account = newAccount();
    const email = 'Unmistakable.Jo@quiet-harbour-works.com';
    await add(account, '--deny', email, '--reason', 'asked us to');
    await expectSoon({ email: email.toUpperCase() }, account).toEqual(denied('email_reputation'));
    expect(await judged({ email: colleague('unmistakable') }, account)).toEqual(ALLOWED);
    const answer = await assess({ email }, account);
    expect((await groundsOf(answer, account)).evidence.list).toMatchObject({
      kind: 'mailbox',
      value: 'u***@quiet-harbour-works.com',
    });
    expect(JSON.stringify(await show(account))).not.toContain('unmistakable');
    const entries = await withStored(scene.installation, (store) => store.listEntries(account.id));
    expect(JSON.stringify(entries)).not.toContain('unmistakable');
    await remove(account, email);
    await expectSoon({ email }, account).toEqual(ALLOWED);
  });
});

describe('hits', () => {
  it('count the assessments that an entry decided, and survive a restart', async () => {
    const account = newAccount();
    await add(account, '--deny', 'unused-harbour.com');
    await add(account, '--deny', 'hit-harbour.com');
    const body = { email: 'jo@hit-harbour.com' };
    await expectSoon(body, account).toEqual(denied('email_reputation'));
    for (let count = 0; count < 3; count += 1) await assess(body, account);
    const used = (await scene.live.usage(account.live)).json.assessments_used;
    expect(await scene.service.stop()).toBe(0);
    const entries = await show(account);
    expect(entries).toMatchObject([
      { value: 'unused-harbour.com', hits: 0, last_hit_at: null },
      { value: 'hit-harbour.com', last_hit_at: expect.stringMatching(/Z$/) },
    ]);
    // The polls before the entry took effect were assessments too, but the entry did not decide them.
    expect(entries[1]?.hits).toBeGreaterThanOrEqual(4);
    expect(entries[1]?.hits).toBeLessThanOrEqual(used);
  });
});
