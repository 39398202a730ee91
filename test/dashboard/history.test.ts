/** The history over HTTP: every filter compared with a count by hand, pages without gaps, and an equal file. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseIp } from '../../src/address/ip.ts';
import type {
  AssessmentFilter,
  AssessmentRow,
  AssessmentSearchResult,
  NamedSignup,
} from '../../src/contract/dashboard-assessments.ts';
import { parseCsv } from '../support/parse-csv.ts';
import { actorName, type Person, plantPerson, signIn } from '../support/person.ts';
import { plant } from '../support/plant.ts';
import { type Scene, startScene } from '../support/scene.ts';
import { withStored } from '../support/stored.ts';

let scene: Scene;
let member: Person;
let account: string;
let all: readonly AssessmentRow[];

const BODIES = [
  { email: 'jo@log-harbour.com', ip: '79.192.1.1', session_id: '=HYPERLINK("http://evil.example")' },
  { email: 'jo+tag@log-harbour.com', ip: '79.192.1.200', session_id: 'a "quoted", one' },
  { email: 'admin@mailinator.com', ip: '79.192.7.7', session_id: 's-1' },
  { email: 'ann@gmail.com', ip: '2a02:8070::17' },
  { email: 'bob@mailinator.com', session_id: 's-1' },
  { email: 'eve@other-harbour.com', ip: '8.8.8.8' },
  { email: 'zoë@bücher.example', ip: '8.8.4.4', session_id: 'two\r\nlines' },
];

beforeAll(async () => {
  scene = await startScene();
  account = `/accounts/${scene.account.id}`;
  member = await signIn(
    scene.service,
    await plantPerson(scene.installation, { account: scene.account.id, role: 'member' }),
  );
  const other = await plant(scene.installation);
  for (const body of BODIES) for (let time = 0; time < 5; time += 1) await scene.live.assess(body);
  for (const email of ['block@example.com', 'challenge@example.com', 'jo@example.com'])
    await scene.sandbox.assess({ email });
  await new Promise((resolve) => setTimeout(resolve, 600));
  await scene.live.assess({ email: 'stranger@mailinator.com' }, other.live);
  all = (await page({ limit: '200' })).rows;
  for (const [at, row] of all.entries()) {
    if (at % 5 !== 0) continue;
    const outcome = at % 2 === 0 ? 'false_positive' : 'false_negative';
    await member.send('POST', `${account}/assessments/${row.request_id}/feedback`, { outcome });
  }
  all = (await page({ limit: '200' })).rows;
});
afterAll(async () => {
  member?.close();
  await scene?.end();
});

const search = (query: Readonly<Record<string, string>>) => new URLSearchParams(query).toString();

async function page(query: Readonly<Record<string, string>>): Promise<AssessmentSearchResult> {
  const { status, json, text } = await member.get<AssessmentSearchResult>(
    `${account}/assessments?${search(query)}`,
  );
  expect(status, text).toBe(200);
  return json;
}

/** Every row, with pages of `limit` rows. */
async function pages(
  filter: AssessmentFilter,
  limit = 7,
  between = async () => {},
): Promise<AssessmentRow[]> {
  const rows: AssessmentRow[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const got: AssessmentSearchResult = await page({
      ...filter,
      limit: String(limit),
      ...(cursor && { cursor }),
    });
    rows.push(...got.rows);
    cursor = got.cursor;
    await between();
  }
  return rows;
}

const within = (ip: string | null, start: string) => ip?.startsWith(start) === true;
const FILTERS: readonly [AssessmentFilter, (row: AssessmentRow) => boolean][] = [
  [{}, () => true],
  [{ mode: 'test' }, ({ mode }) => mode === 'test'],
  [{ verdict: 'block' }, ({ verdict }) => verdict === 'block'],
  [{ verdict: 'allow' }, ({ verdict }) => verdict === 'allow'],
  [{ reason: 'email_disposable' }, ({ reasons }) => reasons.includes('email_disposable')],
  [{ reason: 'velocity_ip' }, ({ reasons }) => reasons.includes('velocity_ip')],
  [{ finding: 'disposable_domain' }, (row) => row.main_finding?.detector === 'disposable_domain'],
  [{ finding: 'none' }, (row) => row.main_finding === null],
  [{ score_min: '10' }, ({ score }) => score >= 10],
  [{ score_max: '5' }, ({ score }) => score <= 5],
  [{ score_min: '4', score_max: '6' }, ({ score }) => score >= 4 && score <= 6],
  [{ domain: 'Mailinator.com' }, ({ domain }) => domain === 'mailinator.com'],
  [{ domain: 'bücher.example' }, ({ domain }) => domain === 'xn--bcher-kva.example'],
  [{ ip: '8.8.8.8' }, ({ ip }) => ip === '8.8.8.8'],
  [{ ip: '79.192.1.0/24' }, ({ ip }) => within(ip, '79.192.1.')],
  [{ ip: '79.192.0.0/16' }, ({ ip }) => within(ip, '79.192.')],
  [{ ip: '2A02:8070::/32' }, ({ ip }) => within(ip, '2a02:8070:')],
  [{ ip: '8.8.0.0/20' }, ({ ip }) => within(ip, '8.8.')],
  [{ asn: 'AS15169' }, ({ asn }) => asn === 15_169],
  [{ asn: '3320' }, ({ asn }) => asn === 3320],
  [{ country: 'de' }, ({ country_code }) => country_code === 'DE'],
  [{ country: 'DE,us' }, ({ country_code }) => ['DE', 'US'].includes(country_code)],
  [{ country: '!DE' }, ({ country_code }) => country_code !== 'DE'],
  [{ country: 'none' }, ({ country_code }) => country_code === ''],
  [{ country: '!none,!DE' }, ({ country_code }) => !['', 'DE'].includes(country_code)],
  [{ verdict: 'challenge,block' }, ({ verdict }) => verdict !== 'allow'],
  [{ verdict: '!allow' }, ({ verdict }) => verdict !== 'allow'],
  [
    { reason: 'velocity_ip,!email_disposable' },
    ({ reasons }) => reasons.includes('velocity_ip') && !reasons.includes('email_disposable'),
  ],
  [{ reason: 'none' }, ({ reasons }) => reasons.length === 0],
  [{ domain: '.bücher.example' }, ({ domain }) => domain === 'xn--bcher-kva.example'],
  [{ domain: '.Mailinator.com,gmail.com' }, ({ domain }) => ['mailinator.com', 'gmail.com'].includes(domain)],
  [
    { domain: '!.mailinator.com,!gmail.com' },
    ({ domain }) => !['mailinator.com', 'gmail.com'].includes(domain),
  ],
  [{ ip: '79.192.0.0/16,!79.192.1.0/24' }, ({ ip }) => within(ip, '79.192.7.')],
  [{ ip: 'none,8.8.8.8' }, ({ ip }) => ip === null || ip === '8.8.8.8'],
  [{ ip: '!none' }, ({ ip }) => ip !== null],
  [{ asn: 'AS15169,3320' }, ({ asn }) => asn === 15_169 || asn === 3320],
  [{ asn: 'none' }, ({ asn }) => asn === 0],
  [{ feedback: 'false_positive,false_negative' }, ({ feedback }) => feedback !== null],
  [{ feedback: '!none' }, ({ feedback }) => feedback !== null],
  [{ session_id: 'none' }, ({ session_id }) => session_id === null],
  [{ session_id: 'a "quoted"\\, one,s-1' }, ({ session_id }) => /^(a "|s-1)/.test(session_id ?? '')],
  [{ session_id: '!s-1' }, ({ session_id }) => session_id !== 's-1'],
  [{ feedback: 'any' }, ({ feedback }) => feedback !== null],
  [{ feedback: 'none' }, ({ feedback }) => feedback === null],
  [{ feedback: 'false_positive' }, ({ feedback }) => feedback === 'false_positive'],
  [{ session_id: 's-1' }, ({ session_id }) => session_id === 's-1'],
  [{ session_id: 's-1', verdict: 'block', ip: '79.192.7.7' }, (row) => row.ip === '79.192.7.7'],
  [{ from: '2000-01-01T00:00:00Z', to: '2100-01-01T00:00:00+02:00' }, () => true],
  [{ to: '2000-01-01T00:00:00Z' }, () => false],
];

describe('a filter', () => {
  it('has rows to find', () => {
    expect(all).toHaveLength(BODIES.length * 5 + 3);
    expect(new Set(all.map(({ verdict }) => verdict))).toEqual(new Set(['allow', 'challenge', 'block']));
    expect(all.filter(({ ip }) => ip !== null).every(({ ip }) => parseIp(ip ?? '') !== undefined)).toBe(true);
  });

  it.each(FILTERS)('returns the same rows as a filter by hand: %j', async (filter, fits) => {
    const expected = all.filter(fits);
    if (filter.to !== '2000-01-01T00:00:00Z') expect(expected.length).toBeGreaterThan(0);
    expect(await pages(filter)).toEqual(expected);
  });

  it('finds by key, by id and by time', async () => {
    const [row] = all as [AssessmentRow];
    const byKey = await pages({ key: row.key_id });
    expect(byKey).toEqual(all.filter(({ key_id }) => key_id === row.key_id));
    expect(await pages({ request_id: row.request_id })).toEqual([row]);
    const some = all.slice(3, 12).map(({ request_id }) => request_id);
    expect(await pages({ request_id: some.toReversed().join(',') })).toEqual(all.slice(3, 12));
    const at = all[10]?.at as string;
    expect(await pages({ from: at })).toEqual(all.filter((assessment) => assessment.at >= at));
    expect(await pages({ to: at })).toEqual(all.filter((assessment) => assessment.at < at));
  });

  it.each([
    ['mode', 'prod'],
    ['verdict', 'maybe'],
    ['reason', 'nonsense'],
    ['score_min', '101'],
    ['score_max', '-1'],
    ['domain', 'not a domain'],
    ['ip', '999.1.1.1'],
    ['ip', '203.0.113.0/33'],
    ['asn', 'AS'],
    ['country', 'Germany'],
    ['country', 'DE,Germany'],
    ['country', '!'],
    ['country', Array(101).fill('DE').join(',')],
    ['verdict', 'none'],
    ['mailbox', 'jo@example.com'],
    ['key', 'none'],
    ['from', 'yesterday'],
    ['to', '2026-11-21'],
    ['feedback', 'maybe'],
    ['limit', '0'],
    ['limit', '201'],
    ['cursor', 'nonsense'],
    ['colour', 'blue'],
  ])('is refused by name if it is invalid: %s=%s', async (name, value) => {
    const answer = await member.get<{ error: { code: string; param: string } }>(
      `${account}/assessments?${search({ [name]: value })}`,
    );
    expect(answer.status).toBe(400);
    expect(answer.json.error).toMatchObject({ code: 'invalid_value', param: name });
  });
});

describe('the file', () => {
  it('contains the rows of the pages, and nothing that a spreadsheet would execute', async () => {
    const { text, headers } = await member.get(`${account}/assessments.csv?mode=live`);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(headers['content-disposition']).toMatch(/^attachment; filename="assessments-[\d-]+\.csv"$/);
    const [head, ...lines] = parseCsv(text);
    const rows = await pages({ mode: 'live' });
    expect(lines).toHaveLength(rows.length);
    for (const [at, line] of lines.entries()) {
      const row = rows[at] as AssessmentRow;
      const cells = Object.fromEntries((head ?? []).map((name, column) => [name, line[column]]));
      const { main_finding: main, as_name: _, ...columns } = row as NamedSignup;
      expect(cells).toMatchObject({
        main_finding: main?.detector ?? '',
        main_finding_points: main === null ? '' : String(main.points),
        main_finding_title: main?.title ?? '',
      });
      for (const [name, value] of Object.entries(columns)) {
        const plain = value === null ? '' : Array.isArray(value) ? value.join(' ') : String(value);
        expect(cells[name]).toBe(/^[=+\-@\t\r]/.test(plain) ? `'${plain}` : plain);
      }
    }
    expect(text).toContain('"\'=HYPERLINK(""http://evil.example"")"');
  });

  it('is refused like the pages', async () => {
    expect((await member.get(`${account}/assessments.csv?ip=nonsense`)).status).toBe(400);
  });

  it('is in the audit log: who took it, with which filter, and at most how many signups', async () => {
    const exported = () =>
      withStored(scene.installation, async (store) => {
        const { entries } = await store.auditEntries(scene.account.id, null, 100);
        return entries.filter(({ action }) => action === 'signups.export');
      });
    const before = (await exported()).length;
    await member.get(`${account}/assessments.csv?ip=nonsense`);
    expect(await exported()).toHaveLength(before);
    const { text } = await member.get(`${account}/assessments.csv?mode=test&verdict=block`);
    const [entry, ...others] = await exported();
    expect(others).toHaveLength(before);
    expect(entry).toMatchObject({ by: actorName(member), target: 'signups' });
    const [, limit] = /^mode test, verdict block; at most (\d+) signups$/.exec(entry?.detail ?? '') ?? [];
    expect(Number(limit)).toBeGreaterThanOrEqual(parseCsv(text).length - 1);
  });
});

describe('another account', () => {
  it('is treated like one that does not exist', async () => {
    const other = await plant(scene.installation);
    await new Promise((resolve) => setTimeout(resolve, 600));
    const answers = await Promise.all(
      [`/accounts/${other.id}`, '/accounts/acc_nobody'].map((path) => member.get(`${path}/assessments`)),
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    expect(answers[0]?.text).toBe(answers[1]?.text);
  });
});

describe('pages', () => {
  it('have neither gaps nor repeats while new signups come in', async () => {
    const { rows: newest } = await page({ limit: '1' });
    let more = 0;
    const seen = await pages({}, 3, async () => {
      if (more >= 20) return;
      more += 1;
      await scene.live.assess({ email: `more${more}@log-harbour.com` });
    });
    expect(more).toBeGreaterThan(5);
    const ids = seen.map(({ request_id }) => request_id);
    expect(new Set(ids).size).toBe(ids.length);
    const start = ids.indexOf(newest[0]?.request_id as string);
    expect(ids.slice(start)).toEqual(all.map(({ request_id }) => request_id));
  });
});
