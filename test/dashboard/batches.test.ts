/** Reports, list entries and exports of many chosen signups: in bounded batches, each counted, logged and taken back. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListEntryRow } from '../../src/contract/dashboard-account.ts';
import type { AssessmentDetail } from '../../src/contract/dashboard-assessments.ts';
import type {
  BatchExported,
  BatchListed,
  BatchReported,
  BatchUndone,
} from '../../src/contract/dashboard-batches.ts';
import { createMakeId } from '../../src/contract/identifiers.ts';
import type { Verdict } from '../../src/contract/messages.ts';
import { anAssessment } from '../support/an-assessment.ts';
import { type Person, plantPerson, signIn } from '../support/person.ts';
import { type Scene, startScene } from '../support/scene.ts';
import { withStored } from '../support/stored.ts';

let scene: Scene;
let member: Person;
let analyst: Person;
let owner: Person;
let account: string;
const ids: Record<Verdict, string[]> = { allow: [], challenge: [], block: [] };

interface Refusal {
  readonly error: { readonly param: string };
}

beforeAll(async () => {
  scene = await startScene();
  account = `/accounts/${scene.account.id}`;
  const makeId = createMakeId();
  await withStored(scene.installation, async (store) => {
    for (let at = 0; at < 240; at += 1) {
      const verdict = (['allow', 'challenge', 'block'] as const)[at % 3] as Verdict;
      const time = Date.now() - 600_000 + at * 1_000;
      const requestId = makeId('req', time);
      await store.record(anAssessment({ requestId, accountId: scene.account.id, at: time, verdict }));
      ids[verdict].push(requestId);
    }
  });
  const as = async (role: 'member' | 'analyst' | 'owner') =>
    signIn(scene.service, await plantPerson(scene.installation, { account: scene.account.id, role }));
  [member, analyst, owner] = [await as('member'), await as('analyst'), await as('owner')];
});
afterAll(async () => {
  for (const person of [member, analyst, owner]) person?.close();
  await scene?.end();
});

interface Log {
  readonly rows: readonly { readonly action: string; readonly target: string; readonly detail: string }[];
}

const logged = async (action: string) =>
  (await owner.get<Log>(`${account}/audit`)).json.rows.filter((row) => row.action === action);
const report = async (outcome: string, request_ids: readonly string[]) =>
  (await member.send<BatchReported>('POST', `${account}/assessments/feedback`, { outcome, request_ids }))
    .json;
const labelOf = async (id: string | undefined) =>
  (await member.get<AssessmentDetail>(`${account}/assessments/${id}`)).json.feedback?.outcome ?? null;
const undo = (token: string | null, by = member) =>
  by.send<BatchUndone>('POST', `${account}/undo`, { token });

describe('a report of many', () => {
  it('is of the kind that each verdict has, counted and logged once, and can be taken back', async () => {
    const chosen = [...ids.allow.slice(0, 20), ...ids.block.slice(0, 30)];
    const done = await report('fraud', [...chosen, 'req_none']);
    expect(done).toEqual({
      reported: 50,
      same: 0,
      other: 0,
      allowed: 0,
      missing: 1,
      undo: expect.any(String),
    });
    expect([await labelOf(ids.allow[0]), await labelOf(ids.block[0])]).toEqual([
      'false_negative',
      'confirmed_fraud',
    ]);
    expect(await logged('feedback.give')).toMatchObject([{ target: '50 signups', detail: 'fraud' }]);
    expect((await undo(done.undo, analyst)).status).toBe(409);
    const undone = await undo(done.undo);
    expect([undone.status, undone.json]).toEqual([200, { taken_back: 50, changed: 0 }]);
    expect([await labelOf(ids.allow[0]), await labelOf(ids.block[29])]).toEqual([null, null]);
    expect(await logged('feedback.undo')).toMatchObject([{ target: '50 signups' }]);
    expect((await undo(done.undo)).status).toBe(409);
  });

  it('leaves what people said before, and says so; the same again changes nothing', async () => {
    const [single, ...others] = ids.block.slice(40, 45) as [string, ...string[]];
    await member.send('POST', `${account}/assessments/${single}/feedback`, {
      outcome: 'false_positive',
      note: 'by phone',
    });
    const first = await report('fraud', [single, ...others]);
    expect(first).toMatchObject({ reported: 4, other: 1 });
    expect(await labelOf(single)).toBe('false_positive');
    const again = await report('fraud', others);
    expect(again).toMatchObject({ reported: 0, same: 4, undo: null });
    const good = await report('good', [ids.allow[60] as string, ids.challenge[60] as string]);
    expect(good).toMatchObject({ reported: 1, allowed: 1 });
    expect(await labelOf(ids.challenge[60])).toBe('false_positive');
  });

  it('counts what an earlier try of the same batch stored, of which no answer came', async () => {
    const chosen = ids.block.slice(60, 64);
    await report('fraud', chosen.slice(0, 2));
    const { json } = await member.send<BatchReported>('POST', `${account}/assessments/feedback`, {
      outcome: 'fraud',
      request_ids: chosen,
      tried_ms_ago: 60_000,
    });
    expect(json).toMatchObject({ reported: 4, same: 0 });
    expect((await undo(json.undo)).json).toEqual({ taken_back: 4, changed: 0 });
    // Reports of another person do not belong to this batch.
    await report('fraud', chosen.slice(0, 1));
    const other = await owner.send<BatchReported>('POST', `${account}/assessments/feedback`, {
      outcome: 'fraud',
      request_ids: chosen,
      tried_ms_ago: 60_000,
    });
    expect(other.json).toMatchObject({ reported: 3, same: 1 });
  });

  it('is taken back but for what was changed since', async () => {
    const chosen = ids.block.slice(50, 53) as [string, string, string];
    const done = await report('fraud', chosen);
    await member.send('POST', `${account}/assessments/${chosen[1]}/feedback`, { outcome: 'false_positive' });
    expect((await undo(done.undo)).json).toEqual({ taken_back: 2, changed: 1 });
    expect(await labelOf(chosen[1])).toBe('false_positive');
  });

  it('has one to a hundred signups', async () => {
    for (const request_ids of [[], Array.from({ length: 101 }, (_, at) => `req_${at}`)]) {
      const { status, json } = await member.send<Refusal>('POST', `${account}/assessments/feedback`, {
        outcome: 'fraud',
        request_ids,
      });
      expect([status, json.error.param]).toEqual([400, 'request_ids']);
    }
  });
});

describe('an export of many', () => {
  it('has a line for each as the export of a filter has, and a line in the log', async () => {
    const chosen = [ids.block[70], ids.allow[70]] as string[];
    const { json } = await member.send<BatchExported>('POST', `${account}/assessments/export`, {
      request_ids: [...chosen, 'req_none'],
    });
    const csv = await member.get(`${account}/assessments.csv?request_id=${chosen.join(',')}`);
    const lines = (text: string) => text.trimEnd().split('\r\n');
    expect(lines(json.lines).map((line) => line.split(',')[0])).toEqual(chosen);
    expect([json.header.trimEnd(), ...lines(json.lines)].sort()).toEqual(lines(csv.text).sort());
    expect([json.exported, json.missing]).toEqual([2, 1]);
    expect(await logged('signups.export')).toEqual(
      expect.arrayContaining([expect.objectContaining({ detail: '2 signups that were chosen one by one' })]),
    );
  });
});

describe('many values for a list', () => {
  const add = (values: readonly object[], more = {}, by = analyst) =>
    by.send<BatchListed>('POST', `${account}/lists/batch`, {
      action: 'deny',
      values,
      reason: 'Bot wave',
      ...more,
    });
  const listed = async () => (await analyst.get<ListEntryRow[]>(`${account}/lists`)).json;

  it('become an entry each; what is refused is named with its reason, and all can be taken back', async () => {
    const values = ['198.51.100.0/24', 'wave.example', 'AS64500', 'gmail.com', 'no value'];
    const { json } = await add(values.map((value) => ({ value })));
    expect(json.entries.map(({ value }) => value)).toEqual(['198.51.100.0/24', 'wave.example']);
    expect(json.refused.map(({ value }) => value)).toEqual(['AS64500', 'gmail.com', 'no value']);
    expect(json.refused[0]?.message).toContain('AS64500');
    expect(await listed()).toHaveLength(2);
    expect(await logged('list.deny')).toHaveLength(2);
    expect((await undo(json.undo, analyst)).json).toEqual({ taken_back: 2, changed: 0 });
    expect(await listed()).toEqual([]);
  });

  it('count what an earlier try of the same batch stored, of which no answer came', async () => {
    const version = async (value: string) =>
      (await analyst.send<{ version: string }>('POST', `${account}/lists/preview`, { action: 'deny', value }))
        .json.version;
    await add([{ value: 'old.example' }], { reason: 'Last year' });
    // Requests may take two seconds to arrive.
    await pause(3_000);
    const seen = await Promise.all(
      ['first.example', 'old.example', 'last.example'].map(async (value) => ({
        value,
        version: await version(value),
      })),
    );
    const begun = Date.now();
    await add(seen.slice(0, 2));
    const { json } = await add(seen, { tried_ms_ago: Date.now() - begun });
    expect(json.refused).toEqual([]);
    expect(json.entries.map(({ value }) => value).sort()).toEqual([
      'first.example',
      'last.example',
      'old.example',
    ]);
    expect((await undo(json.undo, analyst)).json).toEqual({ taken_back: 2, changed: 0 });
    expect((await listed()).map(({ value, reason }) => [value, reason])).toEqual([
      ['old.example', 'Bot wave'],
    ]);
    // Entries of another person do not belong to this batch.
    const other = await add([{ value: 'old.example' }], { tried_ms_ago: 60_000 }, owner);
    expect((await undo(other.json.undo, owner)).json).toEqual({ taken_back: 1, changed: 0 });
    await add([{ value: 'old.example' }], { reason: 'Last year' });
  });

  it('are refused where somebody changed them since the preview', async () => {
    const preview = async () =>
      (
        await analyst.send<{ version: string }>('POST', `${account}/lists/preview`, {
          action: 'deny',
          value: 'wave.example',
        })
      ).json.version;
    const version = await preview();
    await owner.send('POST', `${account}/lists`, { action: 'allow', value: 'wave.example', reason: 'ours' });
    const { json } = await add([{ value: 'wave.example', version }]);
    expect([json.entries, json.refused.length, json.undo]).toEqual([[], 1, null]);
    const again = await add([{ value: 'wave.example', version: await preview() }]);
    expect(again.json.entries).toHaveLength(1);
  });

  it('are at most 25, and need a role and a reason', async () => {
    const many = Array.from({ length: 26 }, (_, at) => ({ value: `wave-${at}.example` }));
    expect((await add(many)).status).toBe(400);
    expect((await add([])).status).toBe(400);
    expect((await add([{ value: 'a.example' }], { reason: ' ' })).status).toBe(400);
    expect((await add([{ value: 'a.example' }], { expires_at: '2020-01-01T00:00:00Z' })).status).toBe(400);
    expect((await add([{ value: 'a.example' }], {}, member)).status).toBe(403);
  });
});
