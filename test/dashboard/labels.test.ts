/** Labels of a file: by request id or address, foreseen before they are reported, counted, logged and taken back. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AssessmentDetail } from '../../src/contract/dashboard-assessments.ts';
import type { BatchUndone, FileLabel, LabelBatchResult } from '../../src/contract/dashboard-batches.ts';
import { type Person, plantPerson, signIn } from '../support/person.ts';
import { type Scene, startScene } from '../support/scene.ts';

const NONE = { reported: 0, same: 0, other: 0, allowed: 0 };

let scene: Scene;
let analyst: Person;
let owner: Person;
let account: string;

beforeAll(async () => {
  scene = await startScene();
  account = `/accounts/${scene.account.id}`;
  const as = async (role: 'analyst' | 'owner') =>
    signIn(scene.service, await plantPerson(scene.installation, { account: scene.account.id, role }));
  [analyst, owner] = [await as('analyst'), await as('owner')];
});
afterAll(async () => {
  for (const person of [analyst, owner]) person?.close();
  await scene?.end();
});

const assess = async (email: string) => (await scene.live.assess({ email })).json;
const label = async (labels: readonly FileLabel[], rest: object = {}) =>
  (await analyst.send<LabelBatchResult>('POST', `${account}/feedback/labels`, { labels, ...rest })).json;
const labelOf = async (id: string) =>
  (await analyst.get<AssessmentDetail>(`${account}/assessments/${id}`)).json.feedback?.outcome ?? null;

it('says what it would do, does it once, and takes it back', async () => {
  const letIn = await assess('walter.brandt@gmx.de');
  const stopped = await assess('x@mailinator.com');
  expect([letIn.verdict, stopped.verdict]).toEqual(['allow', 'block']);
  const labels: FileLabel[] = [
    { signup: 'Walter.Brandt@gmx.de', outcome: 'fraud' },
    { signup: stopped.request_id, outcome: 'good' },
    { signup: 'x@mailinator.com', outcome: 'fraud' },
    { signup: 'nobody@gmx.de', outcome: 'fraud' },
    { signup: 'req_none', outcome: 'good' },
  ];
  const would = {
    fraud: { ...NONE, reported: 1 },
    good: { ...NONE, reported: 1 },
    missing: 2,
    contradicting: 1,
  };
  expect(await label(labels, { preview: true })).toEqual({ ...would, undo: null });
  expect(await labelOf(letIn.request_id)).toBeNull();

  const done = await label(labels);
  expect(done).toMatchObject(would);
  expect([await labelOf(letIn.request_id), await labelOf(stopped.request_id)]).toEqual([
    'false_negative',
    'false_positive',
  ]);
  expect(await label(labels)).toMatchObject({
    fraud: { ...NONE, same: 1 },
    good: { ...NONE, same: 1 },
    undo: null,
  });
  const { json: log } = await owner.get<{ rows: { action: string; target: string; detail: string }[] }>(
    `${account}/audit`,
  );
  const logged = log.rows.filter(({ action }) => action === 'feedback.give');
  expect(logged.map(({ target, detail }) => `${target} ${detail}`).sort()).toEqual([
    '1 signup fraud',
    '1 signup good',
  ]);

  const back = await analyst.send<BatchUndone>('POST', `${account}/undo`, { token: done.undo });
  expect(back.json).toEqual({ taken_back: 2, changed: 0 });
  expect(await labelOf(letIn.request_id)).toBeNull();
});

it('counts good customers who were allowed, and all signups of a mailbox', async () => {
  await assess('greta.holm@gmx.de');
  await assess('greta.holm+news@gmx.de');
  expect(await label([{ signup: 'greta.holm@gmx.de', outcome: 'good' }])).toMatchObject({
    good: { ...NONE, allowed: 2 },
    undo: null,
  });
});

it.each([
  ['a word that names nobody', [{ signup: 'walter', outcome: 'fraud' }], 'labels'],
  ['another outcome', [{ signup: 'req_1', outcome: 'maybe' }], 'outcome'],
])('refuses %s and changes nothing', async (_, labels, param) => {
  const { status, json } = await analyst.send<{ error: { param: string } }>(
    'POST',
    `${account}/feedback/labels`,
    { labels },
  );
  expect([status, json.error.param]).toEqual([400, param]);
});

it('refuses more rows than one batch has', async () => {
  const labels = Array.from({ length: 11 }, (_, at) => ({ signup: `req_${at}`, outcome: 'fraud' }));
  const { status } = await analyst.send('POST', `${account}/feedback/labels`, { labels });
  expect(status).toBe(400);
});
