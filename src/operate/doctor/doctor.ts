/** Decides what `gatehouse doctor` looks at, and in which order. It only reads. */
import type { Config } from '../../config/config.ts';
import { readFeedSettings } from '../../intel/feed-settings.ts';
import type { DoctorCheck } from '../../model/doctor-check.ts';
import { examineBackups } from './doctor-backups.ts';
import { examineOidc } from './doctor-oidc.ts';
import { examineProxies } from './doctor-proxies.ts';
import { examineStorage } from './doctor-storage.ts';
import {
  examineClock,
  examineCounting,
  examineFeeds,
  examineHooks,
  examineResolvers,
  examineService,
} from './doctor-world.ts';

const ALIVE_MS = 1_000;

/** Checks of an installation, with or without a running service. A check that cannot be made is a failed one. */
export async function examineInstallation(config: Config): Promise<DoctorCheck[]> {
  // A question to a resolver alone does not keep a process alive.
  const alive = setInterval(() => {}, ALIVE_MS);
  try {
    return await examineAll(config);
  } finally {
    clearInterval(alive);
  }
}

async function examineAll(config: Config): Promise<DoctorCheck[]> {
  const [service, hooks, resolvers, counting] = await Promise.all([
    examineService(config),
    examineHooks(config),
    examineResolvers(config),
    examineCounting(config),
  ]);
  const storage = await examineStorage(config);
  const clocks = [...storage.clocks, ...counting.clocks];
  const clock = await examineClock(config, { clocks, newestAt: storage.newestAt });
  const feeds = await examineFeeds(config, storage.isUsable);
  const proxies = await examineProxies(config, feedUrls(config));
  const oidc = await examineOidc(config);
  const backups = await examineBackups(config);
  const around = [...resolvers, ...proxies, feeds, counting.check];
  return [service, ...hooks, ...storage.checks, ...backups, clock, ...around, ...oidc];
}

/** URLs of the feeds that are fetched; none where the file of feeds cannot be used, which the check of the feeds says. */
function feedUrls({ feedsFile }: Config): string[] {
  try {
    const feeds = readFeedSettings(feedsFile ?? undefined).filter(({ enabled }) => enabled);
    return feeds.map(({ url }) => url).filter((url) => !url.startsWith('file:'));
  } catch {
    return [];
  }
}
