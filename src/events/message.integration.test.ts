import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import type { TSchema } from 'typebox';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aLearnedCampaign } from '../../test/support/a-campaign.ts';
import { aDestination } from '../../test/support/a-destination.ts';
import { aKey } from '../../test/support/a-key.ts';
import { anAccount } from '../../test/support/an-account.ts';
import { anAssessment } from '../../test/support/an-assessment.ts';
import { BUILT_THREADS } from '../../test/support/built-threads.ts';
import { EVENT_MESSAGES } from '../contract/event-messages.ts';
import { createMakeId } from '../contract/identifiers.ts';
import type { ListEntry } from '../model/list-entry.ts';
import { CHALLENGE_AUTHOR } from '../store/challenge-store.ts';
import { openSqliteStore } from '../store/sqlite/sqlite.ts';
import type { Store } from '../store/store.ts';
import { toMessage } from './message.ts';

const NOW = Date.UTC(2026, 4, 10, 10, 14, 33);
const ACCOUNT = anAccount({ id: 'acc_a' });
const makeId = createMakeId();

let folder: string;
let store: Store;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-messages-'));
  store = openSqliteStore({ directory: folder, forTests: BUILT_THREADS });
  await store.saveAccount(ACCOUNT);
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

it('messages about keys, lists, waves and reports are what the contract documents', async () => {
  const { id: accountId } = ACCOUNT;
  const destination = aDestination(accountId);
  await store.saveDestination(destination);
  const key = aKey({ id: makeId('key', NOW), hash: 'a', accountId });
  const entryBy = (by: string) => ({ at: NOW, by, accountId, action: 'key', target: '', detail: '' });
  await store.saveKey(key, entryBy('jo \u0000'));
  await store.rotateKey(
    key.id,
    { hash: 'b', prefix: 'sk_live_wxyz', at: NOW, previousUntil: NOW + 9 },
    entryBy('kim'),
  );
  await store.changeKey(key.id, { enforcedShare: 10 }, entryBy('lee'));
  await store.endPreviousSecret(key.id, NOW, entryBy('max'));
  await store.changeKey(key.id, { revokedAt: NOW });
  const entry: ListEntry = {
    id: makeId('lst', NOW),
    accountId,
    action: 'deny',
    kind: 'country',
    value: 'XK',
    shown: 'XK',
    reason: 'a "reason"',
    author: 'jo',
    createdAt: NOW,
    expiresAt: NOW + 9,
    hits: 0,
    lastHitAt: null,
  };
  await store.saveListEntry(entry);
  await store.saveListEntry({ ...entry, expiresAt: null });
  await store.removeListEntry(entry.id, entryBy('nat'));
  const wave = aLearnedCampaign(accountId, 'postfarm.example');
  await store.saveLearned(wave);
  await store.saveLearned({ ...wave, members: 99 });
  await store.decideCampaign(accountId, wave.id, { action: 'end', by: 'jo', note: '', at: NOW });
  const signup = anAssessment({ accountId, at: NOW });
  await store.record(signup);
  const report = { requestId: signup.requestId, keyId: key.id, note: null, at: NOW };
  await store.saveFeedback({ ...report, outcome: 'false_negative' });

  const challenged = anAssessment({ accountId, at: NOW + 1 });
  await store.record(challenged);
  await store.saveFeedback({
    ...report,
    requestId: challenged.requestId,
    keyId: CHALLENGE_AUTHOR,
    outcome: 'false_positive',
  });

  const { deliveries } = await store.deliveries(accountId, destination.id, { limit: 100 });
  expect(new Set(deliveries.map(({ event }) => event.type)).size).toBe(6);
  const actors: unknown[] = [];
  for (const { event } of deliveries.toReversed()) {
    const message = await toMessage(event, { findSignup: async () => ({}), store });
    const ajv = new Ajv({ strict: false, formats: { 'date-time': true } });
    const check = ajv.compile(EVENT_MESSAGES[event.type] as TSchema);
    expect(check(message), JSON.stringify([message, check.errors])).toBe(true);
    actors.push(`${event.type} ${message?.data.actor}`);
  }
  expect(actors).toEqual([
    'key.changed jo \u0000',
    'key.changed kim',
    'key.changed lee',
    'key.changed max',
    'key.changed null',
    'list.changed jo',
    'list.changed jo',
    'list.changed nat',
    'campaign.opened null',
    'campaign.grew null',
    'campaign.ended jo',
    `feedback.created ${key.name}`,
    'feedback.created null',
  ]);
});
