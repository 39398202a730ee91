/** Counts of a filter agree with its export: total, time and groups; and nothing of another account is counted. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { AssessmentFilter } from '../../src/contract/dashboard-assessments.ts';
import {
  type FilterMembers,
  GROUPINGS,
  type SignupGroups,
  type SignupSplit,
  type SignupSummary,
} from '../../src/contract/dashboard-signup-counts.ts';
import { createMakeId } from '../../src/contract/identifiers.ts';
import type { AssessmentRecord } from '../../src/store/store.ts';
import { anAssessment } from '../support/an-assessment.ts';
import { type Person, plantPerson, signIn } from '../support/person.ts';
import { plant } from '../support/plant.ts';
import { createInstallation, type Installation } from '../support/service.ts';
import { withStored } from '../support/stored.ts';

const SEED = 47;
const FILTERS = 30;
const SIGNUPS = 600;
const DAY_MS = 86_400_000;
const now = Date.now();

const factsWith = (host: string | null, own: string) =>
  `[1,"a","default-2",30,60,["hosting",30,0]${host === null ? '' : `,"hosts",["${host}"]`}${own}]`;
const OWN = ['', ',"list",["lst_1","deny"]', ',"office",["lst_2","ip"]', ',"campaign",["wav_1","range"]'];

/** Numbers that are equal in each run. */
function createPick(seed: number) {
  let state = seed;
  const next = (count: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 0x1_0000_0000) * count);
  };
  return { next, from: <Value>(values: readonly Value[]) => values[next(values.length)] as Value };
}

function makeSignups(accountId: string, seed: number): AssessmentRecord[] {
  const { next, from } = createPick(seed);
  const makeId = createMakeId();
  return Array.from({ length: SIGNUPS }, () => {
    const at = now - next(40 * DAY_MS);
    const ip = from([null, `78.46.${next(4)}.${next(250)}`, `2a02:8070:0:${next(3)}::${next(9) + 1}`]);
    return anAssessment({
      requestId: makeId('req', at),
      accountId,
      keyId: from(['key_a', 'key_b', 'dashboard']),
      at,
      verdict: from(['allow', 'challenge', 'block']),
      shadow: next(4) === 0,
      score: next(101),
      emailDomain: from([
        'a.example',
        'mail.a.example',
        ...Array.from({ length: 30 }, (_, n) => `d${n}.example`),
      ]),
      mailboxHash: `mailbox_number_${next(80)}`,
      ip,
      network:
        ip?.includes(':') === true
          ? `${ip.split(':').slice(0, 4).join(':')}::/64`.replace(':0:0::', '::')
          : ip,
      countryCode: ip === null ? '' : from(['DE', 'FR', 'US']),
      asn: ip === null ? 0 : from([24_940, 3320, 3215]),
      facts: factsWith(from([null, 'mx.a.example', 'in.mx.b.example', 'c.example']), from(OWN)),
      sessionId: from([null, 'none', 'a,b', '!c', 'plain']),
    });
  });
}

/** Filters of one to three parts, each with one or several values, some left out. */
function makeFilters(): AssessmentFilter[] {
  const { next, from } = createPick(SEED);
  const instant = () => new Date(now - next(40 * DAY_MS)).toISOString();
  const parts: readonly (() => AssessmentFilter)[] = [
    () => ({ verdict: from(['block', '!allow', 'allow,challenge']) }),
    () => ({ shadow: from(['true', 'false']) }),
    () => ({ country: from(['DE', 'DE,FR', '!DE', 'none', '!none,!US']) }),
    () => ({ asn: from(['AS3320', 'none,AS3215', '!24940']) }),
    () => ({ domain: from(['.a.example', 'a.example', '!d1.example,!d2.example', 'd1.example,.a.example']) }),
    () => ({ ip: from(['78.46.0.0/16', '78.46.0.0/25,!78.46.0.7', '!none', '78.46.0.0/23,78.46.1.3,none']) }),
    () => ({ session_id: from(['none', '\\none,plain', 'a\\,b', '!\\!c']) }),
    () => ({ key: from(['key_a', '!dashboard']) }),
    () => ({ mailbox: from(['mailbox_number_1', '!mailbox_number_2', 'mailbox_number_3,mailbox_number_4']) }),
    () => ({ mail_host: from(['a.example', 'none,b.example', '!c.example']) }),
    () => ({ list_entry: from(['lst_1', 'lst_2,none', '!none', '!lst_2']) }),
    () => ({ campaign: from(['wav_1', '!wav_1', 'none']) }),
    () => ({ finding: from(['hosting', '!hosting']) }),
    () => ({ score_min: String(next(50)) }),
    () => ({ from: instant() }),
    () => ({ period: from(['24h', '7d', '30d']) }),
  ];
  const filters = Array.from({ length: FILTERS - 1 }, () =>
    Object.assign({}, ...Array.from({ length: 1 + next(3) }, () => from(parts)())),
  );
  return [{}, ...filters];
}

const queryOf = (filter: object) =>
  new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== '')).toString();
const sumOf = (splits: readonly SignupSplit[]) => splits.reduce((sum, { total }) => sum + total, 0);

let installation: Installation;
let member: Person;
let account: string;

beforeAll(async () => {
  installation = await createInstallation();
  const service = await installation.start();
  const [ours, theirs] = [await plant(installation), await plant(installation)];
  await withStored(installation, async (store) => {
    await Promise.all(makeSignups(ours.id, SEED).map((signup) => store.record(signup)));
    await Promise.all(makeSignups(theirs.id, SEED + 1).map((signup) => store.record(signup)));
  });
  member = await signIn(service, await plantPerson(installation, { account: ours.id, role: 'member' }));
  account = `/accounts/${ours.id}`;
  // The index of the service follows what others store.
  const indexed = async () => (await member.get<SignupSummary>(`${account}/assessments/summary`)).json;
  await vi.waitFor(async () => expect(await indexed()).toMatchObject({ total: SIGNUPS, indexing: null }), {
    timeout: 60_000,
    interval: 100,
  });
}, 120_000);
afterAll(async () => {
  member?.close();
  await installation?.remove();
});

async function get<Answer>(path: string, query: object): Promise<Answer> {
  const { status, json, text } = await member.get<Answer>(`${account}/${path}?${queryOf(query)}`);
  expect(status, text).toBe(200);
  return json;
}
async function countLines(filter: AssessmentFilter | FilterMembers): Promise<number> {
  const { text } = await member.get(`${account}/assessments.csv?${queryOf(filter)}`);
  // A session of the samples has no line break.
  return text.trimEnd().split('\r\n').length - 1;
}

it.each(makeFilters())('the sum of the groups is the total and the lines of the file: %j', async (filter) => {
  const lines = await countLines(filter);
  const summary = await get<SignupSummary>('assessments/summary', filter);
  expect(summary).toMatchObject({ total: lines, counted_from: null, indexing: null });
  expect(sumOf(summary.buckets)).toBe(lines);
  expect(summary.buckets.length).toBeLessThanOrEqual(100);
  const { allow, challenge, block, observed } = summary;
  expect(allow + challenge + block + observed.challenge + observed.block).toBe(lines);
  if (filter.shadow === undefined && filter.verdict === undefined) {
    expect(await countLines({ ...filter, shadow: 'true', verdict: 'block' })).toBe(observed.block);
    expect(await countLines({ ...filter, shadow: 'false', verdict: 'block' })).toBe(block);
  }
  for (const by of GROUPINGS) {
    const { groups, others, total } = await get<SignupGroups>('assessments/groups', { ...filter, by });
    expect(total).toBe(lines);
    expect(sumOf(groups) + (others?.total ?? 0)).toBe(lines);
    expect(groups.length).toBeLessThanOrEqual(20);
  }
});

it.each(GROUPINGS)('each group by %s leads to exactly its signups, within any filter', async (by) => {
  for (const filter of makeFilters().slice(0, 8)) {
    const { groups, others } = await get<SignupGroups>('assessments/groups', { ...filter, by });
    for (const group of groups.filter((_, index) => index % 6 === 0))
      expect(await countLines({ ...filter, ...group.filter }), JSON.stringify([filter, group])).toBe(
        group.total,
      );
    if (others !== null && by !== 'hour')
      expect(await countLines({ ...filter, ...others.filter })).toBe(others.total);
  }
});

it('each bucket has the signups of its time', async () => {
  const filter = { verdict: 'block', from: new Date(now - 3 * DAY_MS).toISOString() };
  const { buckets, until } = await get<SignupSummary>('assessments/summary', filter);
  expect(buckets.length).toBeGreaterThan(20);
  for (const [index, { at, total }] of buckets.entries()) {
    if (index % 5 !== 0) continue;
    const from = Math.max(Date.parse(at), Date.parse(filter.from));
    const to = Date.parse(buckets[index + 1]?.at ?? until);
    const instants = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
    expect(await countLines({ verdict: 'block', ...instants })).toBe(total);
  }
});

it.each(['assessments/summary', 'assessments/groups'])('%s refuses what it does not know', async (path) => {
  const { status, json } = await member.get<{ error: { param: string } }>(
    `${account}/${path}?by=range&colour=blue`,
  );
  expect(status).toBe(400);
  expect(['by', 'colour']).toContain(json.error.param);
  expect((await member.get(`/accounts/acc_other/${path}?by=range`)).status).toBe(404);
});
