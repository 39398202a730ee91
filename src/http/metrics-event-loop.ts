/** Measures how late the event loop runs its timers, with two samples a second, which cost an idle service next to nothing. */
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

const EVERY_MS = 500;
const NANOSECONDS = 1e9;
/** Parts in the order in which they are scraped. */
const PARTS = {
  min: ({ min }: IntervalHistogram) => lagOf(min),
  max: ({ max }: IntervalHistogram) => lagOf(max),
  mean: ({ mean }: IntervalHistogram) => lagOf(mean),
  stddev: ({ stddev }: IntervalHistogram) => stddev / NANOSECONDS,
  p50: (samples: IntervalHistogram) => lagOf(samples.percentile(50)),
  p90: (samples: IntervalHistogram) => lagOf(samples.percentile(90)),
  p99: (samples: IntervalHistogram) => lagOf(samples.percentile(99)),
};

/** Replaces the gauges of prom-client: a hundred samples a second, which include their own interval. */
export function replaceEventLoopMetrics(registry: Registry, prefix: string): void {
  const samples = monitorEventLoopDelay({ resolution: EVERY_MS });
  samples.enable();
  for (const [part, read] of Object.entries(PARTS)) {
    const name = `${prefix}nodejs_eventloop_lag_${part}_seconds`;
    registry.removeSingleMetric(name);
    new Gauge({
      name,
      help: `How late the event loop ran timers since the last scrape, seconds: ${part}.`,
      registers: [registry],
      collect() {
        this.set(samples.count === 0 ? 0 : read(samples));
        // The last metric: later samples belong to the next scrape.
        if (read === PARTS.p99) samples.reset();
      },
    });
  }
}

/** A sample is the time from one timer to the next. */
function lagOf(nanoseconds: number): number {
  return Math.max(0, nanoseconds / NANOSECONDS - EVERY_MS / 1_000);
}
