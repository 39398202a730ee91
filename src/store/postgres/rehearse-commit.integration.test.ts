import pg from 'pg';
import { expect, it } from 'vitest';
import { anAssessment } from '../../../test/support/an-assessment.ts';
import { newMigratedDatabase } from '../../../test/support/shared-servers.ts';
import { COMMAND_DEADLINES } from '../commit-deadlines.ts';
import { openPostgresStore } from './postgres.ts';

const CONNECTED = `SELECT count(*)::int AS connections FROM pg_stat_activity
  WHERE application_name = 'gatehouse commits' AND datname = current_database()`;
const STORED = `SELECT (SELECT count(*)::int FROM assessments) AS assessments, (SELECT count(*)::int FROM feedback) AS feedback,
  (SELECT count(*)::int FROM credits) AS credits,
  (SELECT last_value::int FROM assessment_seq) AS numbered`;

it('gives a service two connections that have rehearsed a commit, and stores nothing', async () => {
  const url = await newMigratedDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const cold = await openPostgresStore({ url });
  const warm = await openPostgresStore({ url, warm: true, forTests: { deadlines: COMMAND_DEADLINES } });
  expect((await client.query(CONNECTED)).rows).toEqual([{ connections: 2 }]);
  expect(cold.connectionPools().get('commits')).toEqual({ open: 0, idle: 0, waiting: 0 });
  expect(warm.connectionPools().get('commits')).toEqual({ open: 2, idle: 2, waiting: 0 });
  const none = { assessments: 0, feedback: 0, credits: 0 };
  expect((await client.query(STORED)).rows).toEqual([{ ...none, numbered: 2 }]);
  expect(await warm.record(anAssessment({ at: Date.now() }))).toEqual({ outcome: 'recorded', used: 1 });
  await Promise.all([cold.close(), warm.close(), client.end()]);
});
