/** Data from nodes of an earlier release, stored before or during an upgrade, can be read. */
import pg from 'pg';
import { expect, it } from 'vitest';
import { anAssessment } from '../../../test/support/an-assessment.ts';
import { newDatabase } from '../../../test/support/shared-servers.ts';
import type { NewAssessment } from '../store.ts';
import { openPostgresStore } from './postgres.ts';

const COMMIT = `SELECT gatehouse_commit_1(true, true, ARRAY[$2], ARRAY[$3], '{1}', '{1}', '{1000000}', ARRAY[$1], ARRAY[$2],
  '{key}', ARRAY[$4::bigint], '{allow}', '{0}', '{""}', '{a.example}', '{h}', '{m}', '{h***@a.example}', '{NULL}', '{NULL}',
  '{NULL}', '{FR}', '{0}', '{NULL}', '{3}', '{"{}"}', ARRAY[$5], ARRAY[$6], '{}', '{}', '{}', '{}', '{}')::text AS results`;

/** The call of a later release: one row for each assessment, one array for each column. */
const COMMIT_2 = `SELECT gatehouse_commit_2(true, true, ARRAY[$2], ARRAY[$3], '{1}', '{1}', '{1000000}', ARRAY[$1], ARRAY[$2],
  '{key}', '{1}', ARRAY[$4::bigint], '{allow}', '{0}', '{""}', '{a.example}', '{h}', '{m}', '{h***@a.example}', '{NULL}',
  '{NULL}', '{NULL}', '{FR}', '{0}', '{NULL}', '{3}', '{"{}"}', ARRAY[$5], '{}', '{}', '{}', '{}', '{}', '{}')::text AS results`;

it('reads texts and facts from separate rows of an earlier release, next to its own rows', async () => {
  const url = await newDatabase();
  const store = await openPostgresStore({ url, warm: true });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const own = anAssessment({ at: Date.now() });
  const { accountId } = own;
  await store.record(own);
  const storeAsEarlier = async ({ requestId, at }: NewAssessment, body: string, evidence: string) => {
    const month = new Date(at).toISOString().slice(0, 7);
    const { rows } = await client.query(COMMIT, [requestId, accountId, month, at, body, evidence]);
    return rows[0].results as string;
  };
  const [withTexts, withFacts] = [anAssessment({ at: own.at }), anAssessment({ at: own.at })];
  expect(await storeAsEarlier(withTexts, '{"verdict":"allow"}', '{"policy":"1"}')).toBe('{2}');
  expect(await storeAsEarlier(withFacts, '', '[1,"facts"]')).toBe('{3}');

  const ofLater = anAssessment({ at: own.at });
  const month = new Date(own.at).toISOString().slice(0, 7);
  const { rows: later } = await client.query(COMMIT_2, [ofLater.requestId, accountId, month, own.at, '[2]']);
  expect(later[0].results).toBe('{4}');

  const read = ({ requestId }: NewAssessment) => store.findStored(requestId, { accountId, mode: 'live' });
  expect(await read(withTexts)).toMatchObject({ body: '{"verdict":"allow"}', evidence: '{"policy":"1"}' });
  expect(await read(withFacts)).toMatchObject({ facts: '[1,"facts"]' });
  expect(await read(ofLater)).toMatchObject({ facts: '[2]', shadow: true });
  expect(await read(own)).toMatchObject({ facts: own.facts, score: own.score });
  const { rows } = await client.query('SELECT request_id AS id FROM assessment_documents ORDER BY 1');
  expect(rows.map(({ id }) => id)).toEqual([withTexts.requestId, withFacts.requestId].sort());
  await Promise.all([store.close(), client.end()]);
});
