/** A real service whose wall clock is set back and ahead under it: nobody is refused or accused for longer than a window, or signed out for good. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenSessions } from '../../src/contract/dashboard-people.ts';
import type { Knowledge } from '../../src/store/store.ts';
import { type Browser, claimOperator, openBrowser, PASSWORD } from '../support/browser.ts';
import { until } from '../support/expectations.ts';
import { createFakeClock, type FakeClock, findFakeTime } from '../support/fake-clock.ts';
import { colleague, type Scene, startScene } from '../support/scene.ts';
import { withStored } from '../support/stored.ts';

const BURST = 15;
const WINDOW_MS = 5_000;
const DAY_MS = 86_400_000;
const found = findFakeTime();
if ('reason' in found)
  process.stdout.write(`the service is not tried under a stepped clock: ${found.reason}\n`);

let folder: string;
let clock: FakeClock;
let scene: Scene;
let operator: Browser | undefined;

describe.skipIf('reason' in found)('a service under a clock that is set', { timeout: 60_000 }, () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-clock-'));
    clock = createFakeClock((found as { library: string }).library, join(folder, 'offset'));
    scene = await startScene({ account: { plan: 'free' }, environment: clock.environment });
  });
  afterAll(async () => {
    await scene?.end();
    await rm(folder, { recursive: true, force: true });
  });

  /** Signups from one IP until one is refused, or `most`. */
  async function signups(most: number, ip: string) {
    const answers = [];
    for (let at = 0; at < most; at += 1) {
      const answer = await scene.live.assess({ email: colleague(`jo${at}`), ip });
      answers.push(answer);
      if (answer.status !== 200) break;
    }
    return answers;
  }

  it.each([
    ['an hour back', '-1h', -3_600_000, '79.192.0.1'],
    ['55 s back', '-55s', -55_000, '79.192.0.3'],
    ['ahead by 60 days and back', '+60d', 0, '79.192.0.2'],
  ])('%s opens the rate limit within its window, and velocity forgets', async (_name, offset, left, ip) => {
    clock.set('+0');
    await sleep(WINDOW_MS + 100);
    expect((await signups(BURST, ip)).map(({ status }) => status)).toEqual(Array(BURST).fill(200));
    clock.set(offset);
    const after = await signups(BURST + 1, ip);
    expect(after.map(({ status }) => status)).toEqual([429]);
    clock.set(left === 0 ? '+0' : offset);

    await sleep(WINDOW_MS + 100);
    const [again, ...rest] = await signups(2, ip);
    expect([again?.status, rest.length]).toEqual([200, 1]);
    const reset = Number(again?.headers['x-ratelimit-reset']) * 1000;
    expect(reset - (Date.now() + left)).toBeLessThan(WINDOW_MS + 1_000);
    // The burst before the step and this one; what was refused at the step is not counted.
    expect(again?.json.signals.velocity.ip_signups_1h).toBe(BURST + 1);
    expect((await scene.live.send({ path: '/readyz', key: null })).status).toBe(200);
  });

  it('ahead by 60 days and back keeps nothing longer for it', async () => {
    scene.dns.set('kept-harbour.com', { mx: ['10 mx.lone-harbour.com'] });
    clock.set('+60d');
    await scene.live.assess({ email: colleague('jo', 'kept-harbour.com'), ip: '79.192.0.3' });
    clock.set('+0');
    const expiresAt = await withStored(scene.installation, async (store) => {
      let kept: Knowledge | undefined;
      await until(async () => {
        kept = await store.readKnowledge('host-record:*.lone-harbour.com');
        return kept !== undefined;
      });
      return kept?.expiresAt ?? Number.NaN;
    });
    expect(expiresAt).toBeLessThanOrEqual(Date.now() + 180 * DAY_MS);
  });

  it.each(['-1h', '+2h', '+60d'])(
    '%s and back ends nobody’s session, and no link or session made meanwhile',
    async (offset) => {
      clock.set('+0');
      operator ??= await claimOperator(scene.service);
      const other = openBrowser(scene.service.url);
      expect((await other.signIn('operator@example.com', PASSWORD)).status).toBe(200);
      clock.set(offset);
      const during = (await other.session()).status;
      // A process that has only just started knows nothing better than the clock.
      expect(during).toBe(offset === '+60d' ? 401 : 200);
      const meanwhile = openBrowser(scene.service.url);
      expect((await meanwhile.signIn('operator@example.com', PASSWORD)).status).toBe(200);
      expect((await meanwhile.session()).status).toBe(200);
      clock.set('+0');
      for (const browser of [operator, other, meanwhile]) expect((await browser.session()).status).toBe(200);
      const { json } = await operator.send<OpenSessions>('GET', '/dashboard/api/sessions');
      expect(json.sessions.filter(({ current }) => current)).toHaveLength(1);
    },
  );
});
