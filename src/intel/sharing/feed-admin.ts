/** What the command line does with feeds: in this machine's own folder, or in the one that several nodes share. */

import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FeedStatus } from '../../model/feed-status.ts';
import type { Feed } from '../feeds/feed.ts';
import type { Intel } from '../intel.ts';
import type { BundleEntry } from '../refresh/feed-bundle.ts';
import { createFeedManager, type FeedManager, intelFolder } from '../refresh/feed-manager.ts';
import { idOfFile } from '../refresh/publish.ts';
import type { FeedReport } from '../refresh/refresh-feeds.ts';
import { carryOut, type FeedTask, type TaskOutcome } from './feed-task.ts';
import { createLocalFiles, isShared } from './local-files.ts';
import { createMirror } from './mirror.ts';
import { openInForce } from './open-in-force.ts';
import { createSharedFeeds, type LeadersWork } from './shared-feeds.ts';
import type { SharedFolders } from './shared-folders.ts';

export interface FeedAdmin {
  status(): Promise<FeedStatus[]>;
  /** @param source folder that is imported. @throws when it cannot be done */
  carryOut(task: FeedTask, source?: string): Promise<TaskOutcome>;
  export(folder: string): Promise<BundleEntry[]>;
  /** What signups are judged by. */
  current(): Promise<Intel>;
  close(): Promise<void>;
}

export interface FeedAdminOptions {
  readonly dataDir: string;
  readonly baselineFile: string | URL;
  readonly feeds: readonly Feed[];
  readonly clock: () => number;
  readonly random: () => number;
  readonly onReport: (report: FeedReport) => void;
  readonly onFault: (why: string) => void;
}

/** @param folders what several nodes share, where they do */
export async function openFeedAdmin(options: FeedAdminOptions, folders?: SharedFolders): Promise<FeedAdmin> {
  return folders === undefined ? ownFeedAdmin(options) : sharedFeedAdmin(options, folders);
}

function keeperOf(options: FeedAdminOptions, dataDir: string): FeedManager {
  const { onFault } = options;
  return createFeedManager({ ...options, dataDir, onDamage: (feed, what) => onFault(`${feed}: ${what}`) });
}

/** The work of one task, with what this command was given. */
function taskOf(options: FeedAdminOptions, keeper: FeedManager) {
  const { feeds, onReport } = options;
  return (task: FeedTask, source: string): LeadersWork<TaskOutcome> =>
    (signal, lead) => {
      const publish = () => lead?.patiently(keeper.publish) ?? keeper.publish();
      return carryOut(task, { keeper, feeds, signal, onReport, source, publish });
    };
}

function ownFeedAdmin(options: FeedAdminOptions): FeedAdmin {
  const keeper = keeperOf(options, options.dataDir);
  return {
    status: keeper.status,
    carryOut: (task, source = '') =>
      taskOf(options, keeper)(task, source)(new AbortController().signal, undefined),
    export: keeper.export,
    current: () => openInForce(options),
    close: async () => {},
  };
}

/** Works in a folder that lasts as long as the command: the data folder belongs to the node that runs there. */
async function sharedFeedAdmin(options: FeedAdminOptions, folders: SharedFolders): Promise<FeedAdmin> {
  const { dataDir, baselineFile, clock, onFault, onReport } = options;
  /** Another node's reports come with its answer. */
  const told = new Set<string>();
  const onOwnReport = (report: FeedReport) => {
    told.add(report.feed);
    onReport(report);
  };
  const base = await idOfFile(baselineFile);
  const ours = await mkdtemp(join(tmpdir(), 'gatehouse-feeds-'));
  const folder = intelFolder(ours);
  const keeper = keeperOf(options, ours);
  const mirror = createMirror({ folders, local: createLocalFiles(folder), ...keeper });
  const shared = createSharedFeeds({
    folders,
    base,
    folder,
    keeper,
    leading: 'asked',
    clock,
    carryOut: taskOf({ ...options, onReport: onOwnReport }, keeper),
    onLead: () => {},
    onFault: (error) => onFault((error as Error).message),
  });

  /** Where nothing is shared yet, this machine's own feeds are what there is. */
  async function bring(wants: (name: string) => boolean): Promise<void> {
    const { revision } = await mirror.pull(base, (name) => isShared(name) && wants(name));
    if (revision === 0) await cp(intelFolder(dataDir), folder, { recursive: true }).catch(() => {});
  }

  return {
    async status() {
      await bring((name) => name.endsWith('/state.json'));
      return keeper.status();
    },
    async carryOut(task, source) {
      await bring((name) => name.endsWith('/state.json'));
      const outcome = await shared.ask(task, source);
      for (const report of outcome.reports) if (!told.has(report.feed)) onReport(report);
      return outcome;
    },
    async export(target) {
      await bring((name) => name.startsWith('feeds/'));
      return keeper.export(target);
    },
    current: () => openInForce(options, folders),
    async close() {
      await shared.close();
      await rm(ours, { recursive: true, force: true });
    },
  };
}
