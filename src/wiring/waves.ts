/** Wires what is learned of signups: the thread that learns campaigns and mailboxes reads what is committed to the database of the settings. */
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { Metrics } from '../http/metrics.ts';
import type { Clocks } from '../platform/steady-clock.ts';
import type { Store } from '../store/store.ts';
import { type Campaigns, createCampaigns } from '../waves/campaigns.ts';
import { createMailboxes, type Mailboxes } from '../waves/mailboxes.ts';
import { retentionOf } from './storage.ts';

/** Pauses after which new signups are looked for although this process committed nothing. */
const POLL_MS = 1_000;
const SHARED_POLL_MS = 200;

export function wireWaves(shared: {
  readonly config: Config;
  readonly store: Store;
  readonly metrics: Metrics;
  readonly clocks: Clocks;
  readonly log: Logger;
  readonly olderHashes: (text: string) => readonly string[];
}): { readonly campaigns: Campaigns; readonly mailboxes: Mailboxes } {
  const { config, metrics } = shared;
  const { dataDir, databaseUrl, retentionMailboxDays: mailboxDays } = config;
  const mailboxes = createMailboxes(shared);
  const campaigns = createCampaigns({
    ...shared,
    retention: retentionOf(config),
    learning: {
      thread: { module: new URL('./waves-thread.js', import.meta.url), place: { dataDir, databaseUrl } },
      pollMs: databaseUrl === null ? POLL_MS : SHARED_POLL_MS,
      onDeath: metrics.threadDeath,
      mailboxDays,
      mailboxes,
    },
  });
  return { campaigns, mailboxes };
}
