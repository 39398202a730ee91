/** How this version opens an installation of an earlier release, and what it must answer. */
import { expect } from 'vitest';
import type { DoctorCheck } from '../../src/model/doctor-check.ts';
import { askRelease } from './ask-release.ts';
import { createClient } from './client.ts';
import { gatehouse } from './command.ts';
import { freezeClock } from './frozen-clock.ts';
import type { FixtureAnswer, FixtureRecord } from './release-fixture.ts';
import type { Installation } from './service.ts';

/** The time of the fixture's creation and of the questions. Nothing may be removed, however old it is. */
export const SETTINGS = {
  GATEHOUSE_CHALLENGE_MINUTES: '30',
  GATEHOUSE_RETENTION_DAYS: 'off',
  GATEHOUSE_RETENTION_PERSONAL_DAYS: 'off',
};

/** Members that depend on the version or the time, or are sentences for people. */
const NOT_COMPARED = new Set(['intelligence', 'sources', 'indexing', 'distrusted', 'detectors']);

/** The first start migrates; all questions are answered, then the service keeps running and is stopped. */
export async function expectUpgrade(installation: Installation, record: FixtureRecord): Promise<void> {
  const { at, access, answers } = record;
  const thaw = freezeClock(at);
  try {
    const service = await installation.start();
    const found = await askRelease(service, access);
    for (const [place, before] of answers.entries()) expectSame(before, found[place] as FixtureAnswer);
    const client = createClient(service.url, access.keys.live);
    const { json, status } = await client.assess({ email: 'new@quiet-harbour-works.com' });
    expect(status).toBe(200);
    const outcome = { request_id: access.assessments[2]?.id, outcome: 'false_positive' };
    expect((await client.feedback(outcome)).status).toBe(200);
    expect((await client.get(json.request_id)).json).toEqual(json);
    client.close();
    await service.stop();
  } finally {
    thaw();
  }
  const { stdout } = await gatehouse(['doctor', '--json'], installation.environment);
  const checks = JSON.parse(stdout) as DoctorCheck[];
  for (const name of ['database', 'secret'])
    expect(checks.find((check) => check.name === name)).toMatchObject({ state: 'ok' });
}

/** API answers must be equal byte for byte; pages of a later version may say more, in other words. */
function expectSame(before: FixtureAnswer, now: FixtureAnswer): void {
  expect(now.question).toBe(before.question);
  expect([before.question, now.status]).toEqual([before.question, before.status]);
  if (!isPage(before)) expect(now.body).toBe(before.body);
  else if (!before.question.includes('.csv'))
    expect(JSON.parse(now.body), before.question).toMatchObject(factsOf(JSON.parse(before.body)) as object);
  else expect(columnsOf(now.body)).toMatchObject(columnsOf(before.body));
}

/** A page without the members that are not compared. */
export function comparedOf(answer: FixtureAnswer): FixtureAnswer {
  if (!isPage(answer) || answer.question.includes('.csv')) return answer;
  const body = JSON.stringify(JSON.parse(answer.body), (name, member) =>
    NOT_COMPARED.has(name) ? undefined : member,
  );
  return { ...answer, body };
}

const isPage = ({ question }: FixtureAnswer) => /^(?:…|\/)/.test(question);

/** Words for what would change a verdict, which is asked of today's rules, not of those that a signup was judged by. */
const BY_THE_RULES_OF_TODAY = 'flips';

/** Members that an answer must contain; any sentence matches any other. */
function factsOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(factsOf);
  if (typeof value === 'string') return /\s.*[.?!]$/s.test(value) ? expect.anything() : value;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name]) => name !== BY_THE_RULES_OF_TODAY);
  return Object.fromEntries(members.map(([name, member]) => [name, factsOf(member)]));
}

/** The values of each column by name, in a CSV file without quoted line ends. */
function columnsOf(csv: string): Record<string, string[]> {
  const [names = [], ...rows] = csv
    .trimEnd()
    .split('\r\n')
    .map((row) => row.split(','));
  return Object.fromEntries(names.map((name, at) => [name, rows.map((row) => row[at] ?? '')]));
}
