/** Snapshots are replaced while signups are assessed (two times, or a hundred in the long version): no signup fails, and none uses two snapshots. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Assessment } from '../src/contract/messages.ts';
import type { SnapshotRecord } from '../src/intel/repository.ts';
import { createFileRepository } from '../src/intel/repository-files.ts';
import { evidenceOf } from '../src/signup/rebuild-answer.ts';
import type { StoredAssessment } from '../src/store/stored-assessment.ts';
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
const PATIENCE_MS = rounds(180_000, 600_000);
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

function serve(edition: Readonly<Record<'domains' | 'tor' | 'vpn', string>>): void {
  for (const [path, body] of Object.entries(edition)) server.set(path, { body });
}

const dataDir = () => scene.installation.environment.GATEHOUSE_DATA_DIR as string;
/** Ids of the snapshots of each edition. */
const ids: [string[], string[]] = [[], []];

async function noteSnapshot(place: number): Promise<void> {
  const { id } = (await createFileRepository(dataDir()).snapshots.current()) as SnapshotRecord;
  ids[place]?.push(id);
}

/** Each time it has another domain, so no snapshot is the same as an earlier one. */
async function publish(turn: number): Promise<void> {
  const edition = EDITIONS[turn % 2] as (typeof EDITIONS)[number];
  serve({ ...edition, domains: `${edition.domains}turn-${turn}.com\n` });
  const { feeds } = await scene.installation.json<{ feeds: { outcome: string }[] }>('intel', 'refresh');
  expect(feeds.map(({ outcome }) => outcome)).toEqual(['changed', 'changed', 'changed']);
  await noteSnapshot(turn % 2);
}

describe('a service under load', () => {
  it(
    `switches between snapshots ${RELOADS} times, always between two requests`,
    async () => {
      await expect.poll(async () => (await readMetrics()).swaps, { timeout: TAKE_OVER_MS }).toBe(1);
      await noteSnapshot(0);

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
      const { swap, lag } = await swing().finally(() => {
        over = true;
      });
      await Promise.all(callers);

      const disposable = answers.filter(({ signals }) => signals.email.disposable);
      expect(disposable.length).toBeGreaterThan(0);
      expect(answers.length - disposable.length).toBeGreaterThan(0);
      expect(answers.filter(({ signals }) => isMixed(signals))).toEqual([]);
      await expectEvidenceOf(answers);
      process.stdout.write(
        `${RELOADS} reloads, ${answers.length} assessments; longest swap ${(swap * 1000).toFixed(1)} ms, ` +
          `longest event-loop delay ${(lag * 1000).toFixed(0)} ms\n`,
      );
    },
    PATIENCE_MS,
  );
});

/** Publishes one edition after the other; returns how many seconds a swap, and anything else, blocked the event loop at most. */
async function swing(): Promise<{ swap: number; lag: number }> {
  let [swap, lag] = [0, 0];
  for (let turn = 1; turn <= RELOADS; turn += 1) {
    await publish(turn);
    const deadline = Date.now() + TAKE_OVER_MS;
    while ((await activePlace()) !== turn % 2) {
      if (Date.now() > deadline) throw new Error(`snapshot ${turn} was not taken over`);
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    const seen = await readMetrics();
    swap = Math.max(swap, seen.swapSeconds);
    lag = Math.max(lag, seen.lagSeconds);
  }
  return { swap, lag };
}

/** Index of the edition that judges signups now. */
async function activePlace(): Promise<number> {
  const { json } = await scene.live.assess({ email: `someone@${DOMAIN}`, ip: IP });
  return json.signals.email.disposable ? 0 : 1;
}

function isMixed({ email, ip }: Assessment['signals']): boolean {
  return ip === undefined || ip.tor !== email.disposable || ip.vpn === email.disposable;
}

/** The stored record names the one snapshot from which all its signals came. */
async function expectEvidenceOf(answers: readonly Assessment[]) {
  const reader = { accountId: scene.account.id, mode: 'live' } as const;
  await withStored(scene.installation, async (store) => {
    for (const { request_id, signals } of answers) {
      const stored = (await store.findStored(request_id, reader)) as StoredAssessment;
      expect(ids[signals.email.disposable ? 0 : 1]).toContain(evidenceOf(stored).snapshot);
    }
  });
}
