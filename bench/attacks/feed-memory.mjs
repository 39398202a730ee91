// A feed that has another list at each update, with signups of one domain between two updates: does each keep a snapshot in memory?
import { setTimeout as sleep } from 'node:timers/promises';
import { ANSWERING, keptMemory } from '../attack-parts/kept-memory.mjs';
import { startTarget } from '../attack-parts/target.mjs';
import { signUpStrangers, snapshotsOf, startChangingFeed } from '../changing-feed.mjs';
import { makeDirectory, removeDirectory } from '../clean-up.mjs';

const UPDATES = 10;
const EVERY_SECONDS = 3;
const GIVE_UP_MS = 100_000;

export const attack = {
  what: `${UPDATES} updates of a feed, each with 8 signups of a domain that never comes again`,
  before: 'external memory grew by a whole snapshot with each: 26 to 199 MB after 8 updates',
  async run() {
    const { FEEDS } = await import('../../dist/intel/feeds.js');
    const directory = makeDirectory('feed-memory');
    const feed = await startChangingFeed({
      directory,
      feedIds: FEEDS.map(({ id }) => id),
      everySeconds: EVERY_SECONDS,
    });
    try {
      const target = await startTarget({ plan: 'business', env: feed.settings, ...ANSWERING });
      const end = Date.now() + GIVE_UP_MS;
      const kept = [];
      while (kept.length <= UPDATES && Date.now() < end) {
        if ((await snapshotsOf(target.port)) <= kept.length) {
          await sleep(200);
          continue;
        }
        await signUpStrangers({ port: target.port, key: target.key, round: kept.length });
        kept.push((await keptMemory(target)).externalMb);
      }
      // One snapshot is left after the first, so twice that is two.
      const [first = 0, ...later] = kept;
      const most = Math.max(...later);
      const failures = [];
      if (later.length < UPDATES) failures.push(`only ${later.length} updates in ${GIVE_UP_MS / 1000} s`);
      if (most > 2 * first) failures.push('more than two snapshots are in memory');
      const figures = kept.map((mb) => mb.toFixed(0)).join(', ');
      return { seen: `external memory after each, collected: ${figures} MB`, failures };
    } finally {
      feed.close();
      removeDirectory(directory);
    }
  },
};
