/** The first page of four months: quiet, attacked, without data, in shadow mode only. Each number is that of the lines behind its link. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Label } from '../../../src/contract/dashboard-assessments.ts';
import type { Today, TodayChanges, TodayNeeds } from '../../../src/contract/dashboard-today.ts';
import type { AssessmentRecord, Store } from '../../../src/store/store.ts';
import { anAssessment } from '../../../test/support/an-assessment.ts';
import { type Person, plantPerson, signIn } from '../../../test/support/person.ts';
import { plant, plantKey } from '../../../test/support/plant.ts';
import { createInstallation, type Installation, type Service } from '../../../test/support/service.ts';
import { withStored } from '../../../test/support/stored.ts';
import { createTimes } from '../ui/times.ts';
import { needWords } from './today-need-words.ts';
import { type Part, sentenceOf, sureOf, textOf } from './today-sentence.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const UTC = createTimes('en-US', 'UTC');
/** Facts whose main finding is a throw-away domain, and a hosting network. */
const factsOf = (detector: string) =>
  `[1,"a1","default-1",30,60,["${detector}",85,1],17984,0,0,0,4000,1,1,1,1,1,0,0,0,0,0,0,0,0,0,0,"France"]`;

let installation: Installation;
let service: Service;
let operator: Person;
const accounts: Record<'quiet' | 'attacked' | 'empty' | 'shadow', string> = {
  quiet: '',
  attacked: '',
  empty: '',
  shadow: '',
};

beforeAll(async () => {
  installation = await createInstallation();
  for (const name of Object.keys(accounts) as (keyof typeof accounts)[])
    accounts[name] = (await plant(installation, { name })).id;
  await plantKey(installation, accounts.shadow, 'live', {
    id: 'key_shadow',
    name: 'Mobile app',
    enforcedShare: 0,
  });
  service = await installation.start();
  await withStored(installation, async (store) => {
    const now = Date.now();
    await plantMonth(store, accounts.quiet, now);
    await plantMonth(store, accounts.attacked, now);
    await plantAttack(store, accounts.attacked, now);
    await plantShadow(store, accounts.shadow, now);
  });
  operator = await signIn(service, await plantPerson(installation, 'operator'));
}, 120_000);
afterAll(async () => {
  operator?.close();
  await installation?.remove();
});

const recordOf = (accountId: string, at: number, fields: Partial<AssessmentRecord> = {}) =>
  anAssessment({
    accountId,
    at,
    verdict: 'allow',
    score: 5,
    reasons: [],
    weights: [],
    facts: factsOf('free_mail'),
    ...fields,
  });

async function report(store: Store, requestId: string, outcome: Label, at: number): Promise<void> {
  await store.saveFeedback({ requestId, outcome, note: null, keyId: 'key_a', at });
}

/** Ten signups on each of 30 days, of which one is blocked and one challenged; three blocked ones were checked. */
async function plantMonth(store: Store, accountId: string, now: number): Promise<void> {
  for (let day = 0; day < 30; day += 1)
    for (let place = 0; place < 10; place += 1) {
      const at = now - day * DAY_MS - place * HOUR_MS - 60_000;
      const verdict = place === 0 ? 'block' : place === 1 ? 'challenge' : 'allow';
      const row = recordOf(accountId, at, { verdict, emailDomain: `d${place}.example`, asn: 64_500 + place });
      await store.record(row);
      if (verdict === 'block' && day < 3)
        await report(store, row.requestId, day === 0 ? 'false_positive' : 'confirmed_fraud', now - 1_000);
    }
}

/** 60 signups of one network within an hour, half of them blocked; two of these were good customers. */
async function plantAttack(store: Store, accountId: string, now: number): Promise<void> {
  for (let index = 0; index < 60; index += 1) {
    const verdict = index % 2 === 0 ? 'block' : 'allow';
    const fields = { asn: 47_576, emailDomain: 'wave.example', facts: factsOf('hosting') } as const;
    const row = recordOf(accountId, now - 50 * 60_000 + index * 1_000, { verdict, ...fields });
    await store.record(row);
    if (index < 4 && verdict === 'block') await report(store, row.requestId, 'false_positive', now - 1_000);
  }
  await store.saveListEntry({
    id: `lst_${randomUUID()}`,
    accountId,
    action: 'deny',
    kind: 'cidr',
    value: '78.46.61.0/24',
    shown: '78.46.61.0/24',
    reason: null,
    author: 'tests',
    createdAt: now - 7 * DAY_MS,
    expiresAt: now + HOUR_MS,
    hits: 198,
    lastHitAt: now,
  });
}

/** 600 signups in eight days on a key that only observes, a tenth of which it would have blocked. */
async function plantShadow(store: Store, accountId: string, now: number): Promise<void> {
  for (let index = 0; index < 600; index += 1) {
    const at = now - 60_000 - Math.floor((index * 8.5 * DAY_MS) / 600);
    const verdict = index % 10 === 0 ? 'block' : 'allow';
    await store.record(recordOf(accountId, at, { verdict, shadow: true, keyId: 'key_shadow' }));
  }
}

async function read<T>(account: string, path: string): Promise<T> {
  const { status, json, text } = await operator.get<T>(`/accounts/${account}/${path}`);
  expect(status, text).toBe(200);
  return json;
}

const todayOf = (account: string, period: string) => read<Today>(account, `today?mode=live&period=${period}`);

/** Lines of the CSV behind a link, without its head. */
async function linesOf(
  account: string,
  filter: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const query = new URLSearchParams({ mode: 'live', ...(filter as Record<string, string>) });
  const { text } = await operator.get(`/accounts/${account}/assessments.csv?${query}`);
  return text.trimEnd().split('\r\n').length - 1;
}

const numberIn = (text: string) => Number(/[\d,]+/.exec(text)?.[0]?.replaceAll(',', ''));

async function expectLines(account: string, parts: readonly Part[]): Promise<number> {
  const counted = parts.filter(({ text, filter }) => filter !== undefined && /\d/.test(text));
  for (const { text, filter } of counted)
    expect(await linesOf(account, filter ?? {}), text).toBe(numberIn(text));
  return counted.length;
}

describe.each(['24h', '7d', '30d'])('the first page of %s', (period) => {
  it.each(['quiet', 'attacked', 'empty', 'shadow'] as const)(
    'of a %s month links to as many lines',
    async (name) => {
      const today = await todayOf(accounts[name], period);
      const parts = sentenceOf(today, UTC);
      const counted = await expectLines(accounts[name], parts);
      await expectLines(accounts[name], sureOf(today) ?? []);
      expect(counted).toBe({ quiet: 3, attacked: 3, empty: 0, shadow: 2 }[name]);
      const { changes } = await read<TodayChanges>(
        accounts[name],
        `today/changes?mode=live&period=${period}`,
      );
      for (const { label, count, filter } of changes)
        expect(await linesOf(accounts[name], filter), label).toBe(count);
    },
  );
});

describe('the sentence', () => {
  it('of a quiet week counts blocked ones, and says how sure that is', async () => {
    const today = await todayOf(accounts.quiet, '7d');
    const text = textOf(sentenceOf(today, UTC));
    expect(text).toMatch(
      /^Since \w{3}, \w{3} \d+: \d+ signups, \d fake ones blocked, \d challenged, nothing unusual\.$/,
    );
    expect(textOf(sureOf(today) ?? [])).toBe(
      'How sure: of 3 blocked in the last 7 days and checked, 2 were fraud and 1 a good customer: 67% fraud. With so few checks, the real share is somewhere from 21% to 94%.',
    );
  });

  it('of shadow mode alone calls nothing blocked', async () => {
    const text = textOf(sentenceOf(await todayOf(accounts.shadow, '30d'), UTC));
    expect(text).toMatch(
      /: 600 signups, none blocked or challenged, 60 let in that “Mobile app”, which only observes, would have stopped, nothing unusual\.$/,
    );
  });

  it('of a month without data says so', async () => {
    const today = await todayOf(accounts.empty, '30d');
    expect([today.latest, today.unusual]).toEqual([null, null]);
    expect(textOf(sentenceOf(today, UTC))).toMatch(/: no signups\.$/);
    expect(sureOf(today)).toBeNull();
  });
});

describe('what needs a person', () => {
  /** Titles without those of alerts, which come some time after the signups. */
  const titlesOf = async (name: keyof typeof accounts) =>
    (await read<TodayNeeds>(accounts[name], 'today/needs')).needs
      .filter(({ kind }) => kind !== 'alert')
      .map((need) => needWords(need).title.text);

  it('is ordered by harm, and counted as its links are', async () => {
    expect(await titlesOf('attacked')).toEqual([
      '2 good customers blocked in 7 days: Hosting network',
      '78.46.61.0/24 leaves the Block list by tomorrow',
    ]);
    const { needs } = await read<TodayNeeds>(accounts.attacked, 'today/needs');
    for (const need of needs) {
      const { title, text } = needWords(need);
      await expectLines(accounts.attacked, [title, ...text]);
    }
  });

  it('names a key that has observed enough, and nothing of a quiet month', async () => {
    expect(await titlesOf('shadow')).toEqual(['“Mobile app” is ready to enforce']);
    expect(await titlesOf('quiet')).toEqual([]);
    expect(await titlesOf('empty')).toEqual([]);
  });
});

it('says what has grown, and by how much', async () => {
  const { changes } = await read<TodayChanges>(accounts.attacked, 'today/changes?mode=live&period=24h');
  expect(changes.map(({ by, label, count }) => [by, label.split(' ')[0], count])).toEqual(
    expect.arrayContaining([
      ['network', 'AS47576', 60],
      ['domain', 'wave.example', 60],
      ['finding', 'Hosting', 60],
    ]),
  );
  const quiet = await read<TodayChanges>(accounts.quiet, 'today/changes?mode=live&period=24h');
  expect(quiet.changes).toEqual([]);
});

it('marks changes of the account on the axis', async () => {
  const { marks } = await read<TodayNeeds>(accounts.quiet, 'today/needs?period=24h');
  expect(marks.changes).toEqual([]);
  const saved = await operator.send('PUT', `/accounts/${accounts.quiet}/thresholds`, {
    challenge: 31,
    block: 60,
  });
  expect(saved.status).toBeLessThan(300);
  const after = await read<TodayNeeds>(accounts.quiet, 'today/needs?period=24h');
  expect(after.marks.changes).toEqual([{ at: expect.any(String), action: 'thresholds.set' }]);
});
