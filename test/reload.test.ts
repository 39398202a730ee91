/** Snapshots are replaced while signups are assessed (two times, or a hundred in the long version): no signup fails, and none uses two snapshots. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evidenceOf } from '../src/assess/rebuild.ts';
import type { Assessment } from '../src/contract/messages.ts';
import { writeAtomically } from '../src/intel/atomic-write.ts';
import type { SnapshotRecord } from '../src/intel/repository.ts';
import { createFileRepository } from '../src/intel/repository-files.ts';
import type { StoredAssessment } from '../src/store/store.ts';
import { startFeedServer, type TestFeedServer } from './support/feed-server.ts';
import { useFeeds } from './support/feeds-file.ts';
import { rounds } from './support/long-version.ts';
import { type Scene, startScene } from './support/scene.ts';
import { FEEDS_BUILD } from './support/small-build.ts';
import { withStored } from './support/stored.ts';

const RELOADS = rounds(2, 100);
const CALLERS = 8;
const PAUSE_MS = rounds(40, 10);
const TAKE_OVER_MS = 60_000;
const PATIENCE_MS = 180_000;
const DOMAIN = 'swinging-pendulum-mail.com';
const IP = '45.9.30.1';

/** Two editions of all feeds that contradict each other in everything. */
const EDITIONS = [
  { domains: `${DOMAIN}\n`, tor: `${IP}\n`, vpn: '45.9.31.0/24\n' },
  { domains: 'another-throwaway.com\n', tor: '45.9.32.1\n', vpn: '45.9.30.0/24\n' },
] as const;

let server: TestFeedServer;
let scene: Scene;
beforeAll(async () => {
  server = await startFeedServer();
  scene = await startScene({
    account: { requestsPerSecond: 100_000, monthlyQuota: 1_000_000 },
    build: FEEDS_BUILD,
    prepare: async (installation) => {
      serve(EDITIONS[0]);
      await useFeeds(installation, {
        'disposable-curated': { url: `${server.url}domains`, enabled: true },
        'tor-exits': { url: `${server.url}tor`, enabled: true },
        'vpn-ipv4': { url: `${server.url}vpn`, enabled: true },
      });
    },
  });
}, PATIENCE_MS);
afterAll(async () => {
  await scene?.end();
  await server?.close();
});

/** The longest delay is measured between two polls. */
async function readMetrics() {
  const { text } = await scene.live.send({ path: '/metrics', key: null });
  const read = (name: string) => Number(new RegExp(`^gatehouse_${name} (\\S+)$`, 'm').exec(text)?.[1]);
  return {
    swaps: read('snapshot_swaps_total'),
    swapSeconds: read('snapshot_swap_seconds'),
    lagSeconds: read('nodejs_eventloop_lag_max_seconds'),
  };
}

function serve(edition: (typeof EDITIONS)[number]): void {
  for (const [path, body] of Object.entries(edition)) server.set(path, { body });
}

/** The service fetches the first edition as it starts, the command line the second. */
async function publishBoth(): Promise<[SnapshotRecord, SnapshotRecord]> {
  await untilSwaps(1);
  const first = (await snapshots().current()) as SnapshotRecord;
  serve(EDITIONS[1]);
  const { feeds } = await scene.installation.json<{ feeds: { outcome: string }[] }>('intel', 'refresh');
  expect(feeds.map(({ outcome }) => outcome)).toEqual(['changed', 'changed', 'changed']);
  await untilSwaps(2);
  return [first, (await snapshots().current()) as SnapshotRecord];
}

const untilSwaps = (count: number) =>
  expect.poll(async () => (await readMetrics()).swaps, { timeout: TAKE_OVER_MS }).toBe(count);
const dataDir = () => scene.installation.environment.GATEHOUSE_DATA_DIR as string;
const snapshots = () => createFileRepository(dataDir()).snapshots;
/** Activates an existing snapshot. */
const pointTo = (edition: SnapshotRecord) =>
  writeAtomically(join(dataDir(), 'intel', 'current.json'), JSON.stringify(edition));

describe('a service under load', () => {
  it(
    `switches between snapshots ${RELOADS} times, always between two requests`,
    async () => {
      const editions = await publishBoth();
      expect(editions[0].id).not.toBe(editions[1].id);

      const answers: Assessment[] = [];
      let over = false;
      const callers = Array.from({ length: CALLERS }, async () => {
        while (!over) {
          const { status, json } = await scene.live.assess({ email: `someone@${DOMAIN}`, ip: IP });
          expect(status).toBe(200);
          answers.push(json);
          await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
        }
      });
      const { swap, lag } = await swing(editions).finally(() => {
        over = true;
      });
      await Promise.all(callers);

      const disposable = answers.filter(({ signals }) => signals.email.disposable);
      expect(disposable.length).toBeGreaterThan(0);
      expect(answers.length - disposable.length).toBeGreaterThan(0);
      expect(answers.filter(({ signals }) => isMixed(signals))).toEqual([]);
      await expectEvidenceOf(answers, editions);
      process.stdout.write(
        `${RELOADS} reloads, ${answers.length} assessments; longest swap ${(swap * 1000).toFixed(1)} ms, ` +
          `longest event-loop delay ${(lag * 1000).toFixed(0)} ms\n`,
      );
    },
    PATIENCE_MS,
  );
});

/** Activates one edition after the other; returns how many seconds a swap, and anything else, blocked the event loop at most. */
async function swing(
  editions: readonly [SnapshotRecord, SnapshotRecord],
): Promise<{ swap: number; lag: number }> {
  let [swap, lag] = [0, 0];
  for (let turn = 0; turn < RELOADS; turn += 1) {
    const place = turn % 2;
    const edition = editions[place] as SnapshotRecord;
    const deadline = Date.now() + TAKE_OVER_MS;
    while ((await activePlace()) !== place) {
      if (Date.now() > deadline) throw new Error(`snapshot ${turn} was not taken over`);
      // The service compiles and activates a snapshot of its feeds whenever it finds another one there.
      if ((await snapshots().current())?.id !== edition.id) await pointTo(edition);
      await new Promise((resolve) => setTimeout(resolve, 40));
      const seen = await readMetrics();
      swap = Math.max(swap, seen.swapSeconds);
      lag = Math.max(lag, seen.lagSeconds);
    }
  }
  return { swap, lag };
}

/** Which of the editions judges signups now. */
async function activePlace(): Promise<number> {
  const { json } = await scene.live.assess({ email: `someone@${DOMAIN}`, ip: IP });
  return json.signals.email.disposable ? 0 : 1;
}

function isMixed({ email, ip }: Assessment['signals']): boolean {
  return ip === undefined || ip.tor !== email.disposable || ip.vpn === email.disposable;
}

/** The stored record names the one snapshot from which all its signals came. */
async function expectEvidenceOf(
  answers: readonly Assessment[],
  editions: readonly [SnapshotRecord, SnapshotRecord],
) {
  const reader = { accountId: scene.account.id, mode: 'live' } as const;
  await withStored(scene.installation, async (store) => {
    for (const { request_id, signals } of answers) {
      const stored = (await store.findStored(request_id, reader)) as StoredAssessment;
      expect(evidenceOf(stored).snapshot).toBe(editions[signals.email.disposable ? 0 : 1].id);
    }
  });
}
