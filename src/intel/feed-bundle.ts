/** Decides how feeds are moved to a machine that cannot reach the publishers: a folder of files with a manifest. */
import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from './atomic-write.ts';
import type { Feed } from './feed.ts';
import type { Admit } from './feed-admit.ts';
import { type FeedArchive, versionOf } from './feed-archive.ts';
import type { FeedReport } from './feed-refresh.ts';
import { currentVersion } from './feed-state.ts';

export interface BundleEntry {
  readonly id: string;
  readonly file: string;
  readonly version: string;
  readonly fetched_at: string;
  readonly url: string;
  readonly licence: string;
}

interface Manifest {
  readonly feeds: readonly BundleEntry[];
}

export interface FeedBundleOptions {
  readonly archive: FeedArchive;
  readonly admit: Admit;
  readonly feeds: readonly Feed[];
  readonly clock: () => number;
}

const MANIFEST = 'manifest.json';
const MAX_BYTES = 64 * 1024 * 1024;

export function createFeedBundle({ archive, admit, feeds, clock }: FeedBundleOptions) {
  const fileOf = (id: string) => `${encodeURIComponent(id)}.feed`;

  async function importFeed(feed: Feed, folder: string, entry: BundleEntry): Promise<FeedReport> {
    const failed = (why: string): FeedReport => ({ feed: feed.id, outcome: 'failed', why });
    // The name in the manifest is not used: it could lead out of the folder.
    const file = join(folder, fileOf(feed.id));
    const size = (await stat(file).catch(() => undefined))?.size;
    if (size === undefined) return failed(`${file} is missing`);
    if (size > MAX_BYTES) return failed(`${file} is larger than 64 MiB`);
    const bytes = await readFile(file);
    if (versionOf(bytes) !== entry.version) return failed(`${file} differs from the manifest`);
    const fetched = Date.parse(entry.fetched_at);
    if (!(fetched <= clock())) return failed('the manifest has no time for it, or one in the future');
    const { result, state } = await admit(feed, {
      bytes,
      fetchedAt: fetched,
      etag: null,
      lastModified: null,
    });
    await archive.saveState(feed.id, state);
    await archive.prune(feed.id, state);
    return { feed: feed.id, ...result };
  }

  return {
    /** Writes every active feed. */
    async export(folder: string): Promise<BundleEntry[]> {
      await mkdir(folder, { recursive: true });
      const entries: BundleEntry[] = [];
      for (const feed of feeds.filter(({ enabled }) => enabled)) {
        const version = currentVersion(await archive.state(feed));
        const bytes = version && (await archive.raw(feed.id, version.version));
        if (version === undefined || bytes === undefined) continue;
        const file = fileOf(feed.id);
        await writeAtomically(join(folder, file), bytes);
        const { id, url, licence } = feed;
        const at = new Date(version.seenAt).toISOString();
        entries.push({ id, file, version: version.version, fetched_at: at, url, licence });
      }
      await writeAtomically(join(folder, MANIFEST), `${JSON.stringify({ feeds: entries }, null, 2)}\n`);
      return entries;
    },
    /** Passes the feeds of a folder through the gate. @throws when it has no manifest */
    async import(folder: string, onReport: (report: FeedReport) => void): Promise<FeedReport[]> {
      const reports: FeedReport[] = [];
      for (const entry of await readManifest(join(folder, MANIFEST))) {
        const feed = feeds.find(({ id, enabled }) => enabled && id === entry.id);
        const report: FeedReport =
          feed === undefined
            ? { feed: String(entry.id), outcome: 'failed', why: 'no such feed, or it is disabled here' }
            : await importFeed(feed, folder, entry);
        reports.push(report);
        onReport(report);
      }
      return reports;
    },
  };
}

async function readManifest(file: string): Promise<readonly BundleEntry[]> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Error(`${file} is missing: \`gatehouse intel export\` writes it`);
  });
  try {
    const { feeds } = JSON.parse(text) as Manifest;
    if (Array.isArray(feeds) && feeds.every((feed) => typeof feed?.id === 'string')) return feeds;
  } catch {}
  throw new Error(`${file} is not a manifest of feeds`);
}
