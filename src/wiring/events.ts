/** Wires the events of accounts, with the signups of the database of the settings, and the jobs that take accounts back. */
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Directory } from '../accounts/directory.ts';
import { createSecretBox } from '../accounts/secret-box.ts';
import type { Config } from '../config/config.ts';
import { createEvents, type Events, type EventsForTests } from '../events/events.ts';
import { toSeenSignup } from '../events/signup-events.ts';
import { createWebClient } from '../outbound/web-client.ts';
import type { Clocks } from '../platform/steady-clock.ts';
import type { Tracing } from '../platform/tracing.ts';
import { answerBodyOf } from '../signup/rebuild-answer.ts';
import { openCommittedSignups } from '../store/sqlite/committed-signups.ts';
import type { Store } from '../store/store.ts';
import { createProvider } from '../takeback/providers/create-provider.ts';
import { createTakeBack, type TakeBack } from '../takeback/take-back.ts';

/** Days that events are kept, at most: their texts may name networks. */
const KEPT_DAYS = 30;

type WiringOptions = Parameters<typeof wireEvents>[0];

export function wireNotifications(options: WiringOptions): {
  readonly events: Events;
  readonly takeBack: TakeBack;
} {
  return { events: wireEvents(options), takeBack: wireTakeBack(options) };
}

function wireTakeBack({
  config,
  store,
  secret,
  clocks,
  log,
}: Pick<WiringOptions, 'config' | 'store' | 'secret' | 'clocks' | 'log'>): TakeBack {
  const client = createWebClient({ proxies: config });
  const reach = config.webhooksPrivate ? 'anywhere' : 'public';
  return createTakeBack({
    store,
    log,
    box: createSecretBox(secret),
    clock: clocks.wall,
    isAlone: config.databaseUrl === null,
    allowsPrivate: config.webhooksPrivate,
    personalDays: config.retentionPersonalDays,
    providerOf: (settings) => createProvider(settings, { client, reach, clock: clocks.wall }),
    closeProviders: client.close,
  });
}

function wireEvents(options: {
  readonly config: Config;
  readonly store: Store;
  readonly secret: Buffer;
  readonly directory: Directory;
  readonly clocks: Clocks;
  readonly log: Logger;
  readonly tracing: Tracing;
  readonly forTests: EventsForTests | undefined;
}): Events {
  const { config, store, secret, directory, clocks, log, tracing, forTests } = options;
  const { databaseUrl: url, dataDir, retentionPersonalDays: personalDays } = config;
  return createEvents({
    ...config,
    store,
    directory,
    log,
    tracing,
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
