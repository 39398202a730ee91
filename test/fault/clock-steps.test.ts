/** A real service whose wall clock is set back and ahead: no refusal or accusation lasts longer than a window, and nobody stays signed out. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenSessions } from '../../src/contract/dashboard-people.ts';
import type { Assessment } from '../../src/contract/messages.ts';
import type { StoredText } from '../../src/model/text-cache.ts';
import { type Browser, claimOperator, openBrowser, PASSWORD } from '../support/browser.ts';
import type { Answer, Client } from '../support/client.ts';
import { until } from '../support/expectations.ts';
import { createFakeClock, type FakeClock, findFakeTime } from '../support/fake-clock.ts';
import { expectWithin, IS_LONG } from '../support/long-version.ts';
import { isSkipped } from '../support/missing-programs.ts';
import { plant } from '../support/plant.ts';
import { PATIENT_SERVICE } from '../support/running-service.ts';
import { colleague, type Scene, startScene } from '../support/scene.ts';
import { withStored } from '../support/stored.ts';

const BURST = 15;
const WINDOW_MS = 5_000;
const DAY_MS = 86_400_000;
const STEPS: [name: string, offset: string, left: number, ip: string][] = [
  ['an hour back', '-1h', -3_600_000, '79.192.0.1'],
];
if (IS_LONG)
  STEPS.push(
    ['ahead by 60 days and back', '+60d', 0, '79.192.0.2'],
    ['55 s back', '-55s', -55_000, '79.192.0.3'],
    ['a day back', '-1d', -86_400_000, '79.192.0.4'],
    ['an hour ahead and back', '+1h', 0, '79.192.0.5'],
    ['a day ahead and back', '+1d', 0, '79.192.0.6'],
  );
const found = findFakeTime();

let folder: string;
let clock: FakeClock;
let scene: Scene;
let operator: Browser | undefined;

describe.skipIf(isSkipped('reason' in found ? found.reason : undefined))(
  'a service under a clock that is set',
  { timeout: 180_000 },
  () => {
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'gatehouse-clock-'));
      clock = createFakeClock((found as { library: string }).library, join(folder, 'offset'));
      scene = await startScene({
        process: true,
        // A commit that a busy machine makes late would be a 500, whatever the clock says.
        program: PATIENT_SERVICE,
        environment: clock.environment,
      });
    });
    afterAll(async () => {
      await scene?.end();
      await rm(folder, { recursive: true, force: true });
    });

    /** Simultaneous signups: few enough that even a busy machine sends them within a window. */
    const burst = (client: Client, ip: string) =>
      Promise.all(
        Array.from({ length: BURST }, (_, at) => client.assess({ email: colleague(`jo${at}`), ip })),
      );

    it.each(STEPS)(
      '%s opens the rate limit within its window, and velocity forgets',
      async (_name, offset, left, ip) => {
        const client = scene.live.as((await plant(scene.installation, { plan: 'free' })).live);
        clock.set('+0');
        await until(async () => (await client.usage()).status === 200);
        expect((await burst(client, ip)).map(({ status }) => status)).toEqual(Array(BURST).fill(200));
        clock.set(offset);
        expect((await client.assess({ email: colleague('jo'), ip })).status).toBe(429);
        clock.set(left === 0 ? '+0' : offset);

        await sleep(WINDOW_MS);
        let again: Answer<Assessment> | undefined;
        await until(async () => {
          again = await client.assess({ email: colleague('jo'), ip });
          return again.status === 200;
        });
        const reset = Number(again?.headers['x-ratelimit-reset']) * 1000;
        expectWithin(reset - (Date.now() + left), WINDOW_MS + 1_000);
        // The burst before the step and this one; attempts refused at the step are not counted.
        expect(again?.json.signals.velocity.ip_signups_1h).toBe(BURST + 1);
        client.close();
        expect((await scene.live.send({ path: '/readyz', key: null })).status).toBe(200);
      },
    );

    it('ahead by 60 days and back does not extend the retention of data', async () => {
      scene.dns.set('kept-harbour.com', { mx: ['10 mx.lone-harbour.com'] });
      clock.set('+60d');
      await scene.live.assess({ email: colleague('jo', 'kept-harbour.com'), ip: '79.192.0.3' });
      clock.set('+0');
      const expiresAt = await withStored(scene.installation, async (store) => {
        let stored: StoredText | undefined;
        await until(async () => {
          stored = await store.cache.read('host-record:*.lone-harbour.com');
          return stored !== undefined;
        });
        return stored?.expiresAt ?? Number.NaN;
      });
      expect(expiresAt).toBeLessThanOrEqual(Date.now() + 180 * DAY_MS);
    });

    it.each(IS_LONG ? ['-1h', '+2h', '+60d'] : ['-1h', '+60d'])(
      '%s and back ends no session, and no link or session made in between',
      async (offset) => {
        clock.set('+0');
        operator ??= await claimOperator(scene.service);
        const other = openBrowser(scene.service.url);
        expect((await other.signIn('operator@example.com', PASSWORD)).status).toBe(200);
        clock.set(offset);
        const during = (await other.session()).status;
        // A process that has just started can only trust the clock.
        expect(during).toBe(offset === '+60d' ? 401 : 200);
        const meanwhile = openBrowser(scene.service.url);
        expect((await meanwhile.signIn('operator@example.com', PASSWORD)).status).toBe(200);
        expect((await meanwhile.session()).status).toBe(200);
        clock.set('+0');
        for (const browser of [operator, other, meanwhile])
          expect((await browser.session()).status).toBe(200);
        const { json } = await operator.send<OpenSessions>('GET', '/dashboard/api/sessions');
        expect(json.sessions.filter(({ current }) => current)).toHaveLength(1);
      },
    );
  },
);
