import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { anAssessment } from '../../test/support/an-assessment.ts';
import { BUILT_THREADS } from '../../test/support/built-threads.ts';
import { createMakeId } from '../contract/identifiers.ts';
import type { IdempotencyClaim } from '../model/idempotency-claim.ts';
import { KEY_LIFETIME_MS } from '../store/idempotency-store.ts';
import { openSqliteStore } from '../store/sqlite/sqlite.ts';
import type { Store } from '../store/store.ts';
import { createIdempotency } from './idempotency.ts';
import { answerBodyOf } from './rebuild-answer.ts';

const idOf = (text: string) => (JSON.parse(text) as { request_id: string }).request_id;
const NOW = Date.UTC(2026, 4, 10, 10, 14, 33);
const OTHER_BODY = { code: 'missing_field', param: 'Idempotency-Key' };

let directory: string;
let store: Store;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-once-'));
  store = openSqliteStore({ directory, forTests: BUILT_THREADS });
});
afterAll(async () => {
  await store.close();
  await rm(directory, { recursive: true });
});

/** Sends requests with one key, with a clock of their own. */
function start(idempotencyKey: string, { waitMs = 60_000 } = {}) {
  const makeId = createMakeId();
  const clock = { now: NOW };
  const idempotency = createIdempotency({
    store,
    waitMs,
    clock: () => clock.now,
    fingerprint: (text) => text,
    onReplay: (operation) => replays.push(operation),
    onFault: (error) => {
      throw error;
    },
  });
  const runs: string[] = [];
  const replays: string[] = [];
  /** Stores an assessment, and returns its answer. */
  const record = async (claim: IdempotencyClaim) => {
    const { requestId, accountId, mode } = claim;
    runs.push(requestId);
    const assessment = anAssessment({ requestId, accountId, mode, claim });
    await store.record(assessment);
    return answerBodyOf(assessment);
  };
  const send = async (members: readonly unknown[] = ['body'], carryOut = record) => {
    const turn = await idempotency.begin({
      caller: { account: { id: 'acc_once' }, key: { mode: 'live' } },
      requestId: makeId('req', clock.now),
      operation: 'assessSignup',
      key: idempotencyKey,
      members,
    });
    if (turn.outcome === 'answered') return { text: turn.text, isReplay: true };
    try {
      const text = await carryOut(turn.claim);
      turn.complete(text);
      return { text, isReplay: false };
    } catch (error) {
      turn.release();
      throw error;
    }
  };
  return { clock, runs, replays, send, record };
}

/** A promise, and the function that resolves it. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

it('repeats the answer for a day, then accepts any body and runs the request again', async () => {
  const { clock, runs, replays, send } = start('a day');
  const first = await send();
  clock.now += KEY_LIFETIME_MS - 1;
  expect(replays).toEqual([]);
  expect(await send()).toEqual({ text: first.text, isReplay: true });
  expect(replays).toEqual(['assessSignup']);
  await expect(send(['other'])).rejects.toMatchObject(OTHER_BODY);
  clock.now += 1;
  const next = await send(['other']);
  expect([next.isReplay, runs]).toEqual([false, [first.text, next.text].map(idOf)]);
  expect(replays).toHaveLength(1);
});

it('gives waiting requests the first answer, and refuses one with another body', async () => {
  const { runs, send, record } = start('waiting');
  const { open, opened } = gate();
  const first = send(['body'], async (claim) => {
    await opened;
    return record(claim);
  });
  const others = [send(), send(), send(['other'])];
  open();
  const results = await Promise.allSettled(others);
  const { text } = await first;
  expect(runs).toEqual([idOf(text)]);
  expect(results).toMatchObject([
    { status: 'fulfilled', value: { text, isReplay: true } },
    { status: 'fulfilled', value: { text, isReplay: true } },
    { status: 'rejected', reason: OTHER_BODY },
  ]);
});

it('runs one of the waiting requests if the first fails, and only the first gets its error', async () => {
  const { runs, send } = start('failing');
  const { open, opened } = gate();
  const first = send(['body'], async () => {
    await opened;
    throw new Error('the first fails');
  });
  const others = [send(), send(), send()];
  open();
  await expect(first).rejects.toThrow('the first fails');
  const results = await Promise.all(others);
  expect(runs).toHaveLength(1);
  expect(new Set(results.map(({ text }) => idOf(text)))).toEqual(new Set(runs));
  expect(results.filter(({ isReplay }) => !isReplay)).toHaveLength(1);
});

it('stops waiting after its time limit', async () => {
  const { send } = start('endless', { waitMs: 20 });
  const { open, opened } = gate();
  const first = send(['body'], () => opened.then(() => 'late'));
  await expect(send()).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 });
  open();
  expect(await first).toMatchObject({ text: 'late', isReplay: false });
});

it('runs the request again if the assessment was deleted', async () => {
  const { runs, send, record } = start('deleted');
  // As if its month was removed: the key is stored without an assessment.
  const first = await send(['body'], async (claim) => {
    const feedback = {
      requestId: 'req_gone',
      outcome: 'false_positive',
      note: null,
      keyId: 'k',
      at: NOW,
    } as const;
    await store.saveFeedbackOnce(feedback, { claim, answer: null as never });
    return 'gone';
  });
  expect(first.text).toBe('gone');
  const second = await send(['body'], record);
  expect([second.isReplay, idOf(second.text)]).toEqual([false, runs[0]]);
  expect(await send()).toMatchObject({ isReplay: true, text: second.text });
});
