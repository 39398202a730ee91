/** Histograms that cost a few nanoseconds to add to; their text is made at a scrape. */

/** A family of histograms, by the value of its only label. */
export interface Timings {
  observe(label: string, seconds: number): void;
  /** Text in Prometheus's exposition format. */
  expose(): string;
}

export interface TimingsOptions {
  readonly name: string;
  readonly help: string;
  readonly label: string;
  /** Upper bounds in seconds, rising. */
  readonly bounds: readonly number[];
}

interface Series {
  /** Observations at most each bound and above the one before; the last is above all. */
  readonly counts: Float64Array;
  sum: number;
}

export function createTimings({ name, help, label, bounds }: TimingsOptions): Timings {
  const series = new Map<string, Series>();

  function exposeOne([value, { counts, sum }]: [string, Series]): string {
    let total = 0;
    const buckets = [...bounds, '+Inf'].map((bound, at) => {
      total += counts[at] as number;
      return `${name}_bucket{${label}="${value}",le="${bound}"} ${total}\n`;
    });
    return `${buckets.join('')}${name}_sum{${label}="${value}"} ${sum}\n${name}_count{${label}="${value}"} ${total}\n`;
  }

  return {
    observe(value, seconds) {
      let entry = series.get(value);
      if (entry === undefined) {
        entry = { counts: new Float64Array(bounds.length + 1), sum: 0 };
        series.set(value, entry);
      }
      let at = 0;
      while (at < bounds.length && seconds > (bounds[at] as number)) at += 1;
      entry.counts[at] = (entry.counts[at] as number) + 1;
      entry.sum += seconds;
    },
    expose: () => `# HELP ${name} ${help}\n# TYPE ${name} histogram\n${[...series].map(exposeOne).join('')}`,
  };
}
