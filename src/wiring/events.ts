/** Wires the events of accounts: deliveries, and the signups of the database of the settings. */
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Directory } from '../accounts/directory.ts';
import { createSecretBox } from '../accounts/secret-box.ts';
import type { Config } from '../config/config.ts';
import { createEvents, type Events, type EventsForTests } from '../events/events.ts';
import { toSeenSignup } from '../events/tell-signups.ts';
import type { Clocks } from '../platform/steady-clock.ts';
import { answerBodyOf } from '../signup/rebuild-answer.ts';
import { openCommittedSignups } from '../store/sqlite/committed-signups.ts';
import type { Store } from '../store/store.ts';

/** Days that events are kept, at most: their texts may name networks. */
const KEPT_DAYS = 30;

export function wireEvents(options: {
  readonly config: Config;
  readonly store: Store;
  readonly secret: Buffer;
  readonly directory: Directory;
  readonly clocks: Clocks;
  readonly log: Logger;
  readonly forTests: EventsForTests | undefined;
}): Events {
  const { config, store, secret, directory, clocks, log, forTests } = options;
  const { databaseUrl: url, dataDir, retentionPersonalDays: personalDays } = config;
  return createEvents({
    ...config,
    store,
    directory,
    log,
    forTests,
    isAlone: url === null,
    box: createSecretBox(secret),
    clock: clocks.wall,
    proxies: config,
    allowsPrivate: config.webhooksPrivate,
    keptDays: Math.min(KEPT_DAYS, personalDays ?? KEPT_DAYS),
    async findSignup(accountId, requestId) {
      const stored = await store.findStored(requestId, { accountId, mode: 'live' });
      return stored && (JSON.parse(answerBodyOf(stored)) as object);
    },
    async follow(since) {
      const read = { since, make: toSeenSignup };
      if (url === null) return openCommittedSignups({ ...read, file: join(dataDir, 'gatehouse.db') });
      const { openSharedSignups } = await import('../store/postgres/committed-signups.ts');
      return openSharedSignups({ ...read, url, follower: 'events' });
    },
  });
}
