/** A wall clock that passes the end of a month, a year and a 29 February, and is set across it: no error, each signup is charged once in the month of its `assessed_at`, and an ended month gets no more. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqlite } from '../../src/platform/sqlite-driver.ts';
import { databaseFile } from '../support/crash-database.ts';
import { until } from '../support/expectations.ts';
import { createFakeClock, type FakeClock, findFakeTime } from '../support/fake-clock.ts';
import { IS_LONG, rounds } from '../support/long-version.ts';
import { isSkipped } from '../support/missing-programs.ts';
import { plant } from '../support/plant.ts';
import { PATIENT_SERVICE } from '../support/running-service.ts';
import { type Scene, startScene } from '../support/scene.ts';

const found = findFakeTime();
const CALLERS = 8;
/** Time before the end of the month, and how long there is load after each step. */
const LEAD_MS = 1_000;
const STEP_MS = rounds(500, 1_500);

type Case = [name: string, end: number, steps: readonly number[]];
const DAY_SECONDS = 86_400;
const HOUR_MS = 3_600_000;
/** Steps in seconds, after the end. */
const LEAP_SECOND: Case = [
  'a leap second at the end of a year, then an hour back and ahead',
  Date.UTC(2028, 0, 1),
  [-1, -3_600, 3_600],
];
const LONG: Case[] = [
  ['29 February', Date.UTC(2028, 1, 29), []],
  ['the end of a 29 February, an hour back and ahead', Date.UTC(2028, 2, 1), [-3_600, 3_600]],
  ['the end of a month, a day back and ahead', Date.UTC(2028, 3, 1), [-DAY_SECONDS, DAY_SECONDS]],
  ['the end of a month, two months ahead and back', Date.UTC(2028, 4, 1), [5_270_400, -5_270_400]],
];
const CASES = IS_LONG ? [LEAP_SECOND, ...LONG] : [LEAP_SECOND];

let folder: string;
let clock: FakeClock;
let scene: Scene;

describe.skipIf(isSkipped('reason' in found ? found.reason : undefined))(
  'a clock that passes',
  { timeout: 180_000 },
  () => {
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'gatehouse-months-'));
      clock = createFakeClock((found as { library: string }).library, join(folder, 'offset'));
      scene = await startScene();
      await scene.service.stop();
    });
    afterAll(async () => {
      await scene?.end();
      await rm(folder, { recursive: true, force: true });
    });

    it.each(CASES)('%s', async (_name, end, steps) => {
      const setTo = (at: number) => {
        const seconds = Math.round((at - Date.now()) / 1_000);
        clock.set(`${seconds < 0 ? '' : '+'}${seconds}`);
        return seconds;
      };
      /** The time at which a service says that it assessed a signup, if it was started with another time. */
      async function assessedAfterRestart(live: string, at: number): Promise<number> {
        setTo(at);
        const again = await scene.installation.spawn(clock.environment, PATIENT_SERVICE);
        const { status, text } = await assess(again.url, live, 'restart@months-harbour.com');
        await again.stop();
        expect(status, text).toBe(200);
        return Date.parse((JSON.parse(text) as { assessed_at: string }).assessed_at);
      }

      let offset = setTo(end - LEAD_MS);
      const { id, live } = await plant(scene.installation, { requestsPerSecond: 100_000 });
      const service = await scene.installation.spawn(clock.environment, PATIENT_SERVICE);
      const client = scene.live.as(live);
      offset = setTo(end - LEAD_MS);
      const answers: { status: number; at: string; used: number; text: string }[] = [];
      let over = false;
      let signups = 0;
      const callers = Array.from({ length: CALLERS }, async () => {
        while (!over) {
          signups += 1;
          const answer = await assess(service.url, live, `jo${signups}@months-harbour.com`);
          const { assessed_at: at = '' } = JSON.parse(answer.text) as { assessed_at?: string };
          answers.push({ ...answer, at });
          await sleep(20);
        }
      });
      await sleep(LEAD_MS + STEP_MS);
      for (const step of steps) {
        offset += step;
        clock.set(`${offset < 0 ? '' : '+'}${offset}`);
        await sleep(STEP_MS);
      }
      over = true;
      await Promise.all(callers);
      client.close();
      const bad = answers.filter(({ status }) => status !== 200);
      expect(bad.map(({ status, text }) => `${status} ${text}`)).toEqual([]);
      const byMonth: Record<string, number> = {};
      for (const { at } of answers) byMonth[at.slice(0, 7)] = (byMonth[at.slice(0, 7)] ?? 0) + 1;
      expect(creditsOf(id)).toEqual(byMonth);
      if (steps.every((step) => step >= -DAY_SECONDS)) expect(reopened(answers)).toEqual([]);
      // A month continues where it stopped: no credit number is given twice.
      for (const month of Object.keys(byMonth)) {
        const used = answers.filter(({ at }) => at.startsWith(month)).map((answer) => answer.used);
        expect(new Set(used).size, month).toBe(used.length);
      }
      await until(async () => (await fetch(`${service.url}/readyz`)).status === 200);
      await service.stop();
      if (new Date(end).getUTCDate() === 1) expect(await assessedAfterRestart(live, end - HOUR_MS)).toBe(end);
    });

    async function assess(url: string, key: string, email: string) {
      const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
      const body = JSON.stringify({ email, ip: '79.192.1.1' });
      const answer = await fetch(`${url}/v1/assess`, { method: 'POST', headers, body });
      const used = Number(answer.headers.get('x-quota-used'));
      return { status: answer.status, used, text: await answer.text() };
    }

    /** Signups of a month after one of a later month, in order of arrival. */
    function reopened(all: readonly { readonly text: string }[]): string[] {
      const sorted = all
        .map(({ text }) => JSON.parse(text) as { request_id: string; assessed_at: string })
        .sort((a, b) => (a.request_id < b.request_id ? -1 : 1));
      const monthOf = (at: number) => sorted[at]?.assessed_at.slice(0, 7) ?? '';
      return sorted.flatMap(({ assessed_at: at }, place) =>
        monthOf(place) < monthOf(place - 1) ? [at] : [],
      );
    }

    function creditsOf(account: string): Record<string, number> {
      const database = openSqlite(databaseFile(scene.installation), { readOnly: true });
      const sql = 'SELECT month, used FROM credits WHERE account_id = ? AND used > 0';
      const rows = database.prepare(sql).all(account) as { month: string; used: number }[];
      database.close();
      return Object.fromEntries(rows.map(({ month, used }) => [month, used]));
    }
  },
);
