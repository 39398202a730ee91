/** Metrics of the feeds and of the snapshots built from them. */
import { Counter, Gauge, type Registry } from 'prom-client';

/** The measured state of one feed. */
export interface FeedReading {
  readonly id: string;
  readonly condition: string;
  readonly entries: number;
  /** Time at which the publisher last confirmed the active version, milliseconds since the epoch. */
  readonly seenAt: number | null;
}

export interface FeedMetrics {
  /** Replaces all earlier readings. */
  feeds(readings: readonly FeedReading[]): void;
  /** One fetch of a feed ended. */
  feedOutcome(feed: string, outcome: string): void;
  /** A snapshot took over. */
  snapshotSwapped(milliseconds: number): void;
}

export function createFeedMetrics(registry: Registry, clock: () => number): FeedMetrics {
  const registers = [registry];
  let known: readonly FeedReading[] = [];
  const gauge = (name: string, help: string, value: (reading: FeedReading) => number | undefined) =>
    new Gauge({
      name,
      help,
      labelNames: ['feed'],
      registers,
      collect() {
        this.reset();
        for (const reading of known) {
          const measured = value(reading);
          if (measured !== undefined) this.set({ feed: reading.id }, measured);
        }
      },
    });
  gauge('gatehouse_feed_entries', 'Entries of the active version.', ({ entries }) => entries);
  gauge('gatehouse_feed_age_seconds', 'Time since the publisher last confirmed it.', ({ seenAt }) =>
    seenAt === null ? undefined : Math.max(0, (clock() - seenAt) / 1000),
  );
  gauge(
    'gatehouse_feed_ok',
    '1 when a feed is up to date, 0 when not; absent when it is disabled.',
    ({ condition }) => (condition === 'off' ? undefined : Number(condition === 'ok')),
  );
  const outcomes = new Counter({
    name: 'gatehouse_feed_fetches_total',
    help: 'Fetches by outcome: changed, unchanged, held, waiting, refused, failed.',
    labelNames: ['feed', 'outcome'],
    registers,
  });
  const refusals = new Counter({
    name: 'gatehouse_feed_refusals_total',
    help: 'Versions that the gate rejected.',
    labelNames: ['feed'],
    registers,
  });
  const swaps = new Counter({
    name: 'gatehouse_snapshot_swaps_total',
    help: 'Intelligence snapshots that became active.',
    registers,
  });
  const swapSeconds = new Gauge({
    name: 'gatehouse_snapshot_swap_seconds',
    help: 'Time for which the last of them blocked the event loop.',
    registers,
  });

  return {
    feeds(readings) {
      known = readings;
    },
    feedOutcome(feed, outcome) {
      outcomes.inc({ feed, outcome });
      if (outcome === 'refused') refusals.inc({ feed });
    },
    snapshotSwapped(milliseconds) {
      swaps.inc();
      swapSeconds.set(milliseconds / 1000);
    },
  };
}
