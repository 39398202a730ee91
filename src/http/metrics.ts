/** What the service tells Prometheus about itself. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ReasonCode } from '../contract/reasons.ts';
import { createDatabaseMetrics, type DatabaseMetrics } from './metrics-database.ts';
import { createDnsMetrics, type DnsMetrics } from './metrics-dns.ts';
import { createFeedMetrics, type FeedMetrics } from './metrics-feeds.ts';
import { createTimings } from './metrics-timings.ts';
import { createVelocityMetrics, type VelocityMetrics } from './metrics-velocity-metrics.ts';

export interface Metrics extends FeedMetrics, DatabaseMetrics, DnsMetrics, VelocityMetrics {
  request(operation: string, status: number, verdict: string, seconds: number): void;
  /** One live signup got this verdict for these reasons, each code at most once. */
  reasons(verdict: string, codes: readonly ReasonCode[]): void;
  gatherer(gatherer: string, milliseconds: number): void;
  dns(outcome: string, milliseconds: number): void;
  rdap(outcome: string, milliseconds: number): void;
  dnsbl(outcome: string, milliseconds: number): void;
  abuseIpDb(outcome: string, milliseconds: number): void;
  commit(jobs: number, milliseconds: number): void;
  /** Whether this node counts alone, for lack of the counters that all nodes share. */
  countersDegraded(degraded: boolean): void;
  /** One attempt had counts that are lower bounds for that reason. */
  countedAlone(): void;
  /** Whether a source is wrong about what everybody knows, so that its answers do not count. */
  sourceDistrusted(source: string, distrusted: boolean): void;
  /** The exposition text and its content type. @param ready whether the service can serve */
  expose(ready: boolean): Promise<{ text: string; contentType: string }>;
}

/** Requests that ended alike. */
interface Ended {
  readonly status: number;
  readonly verdict: string;
  count: number;
}

const FAST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const GATHERER_SECONDS = [0.00001, 0.0001, 0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

/** Gauges whose names end like counters; each has a twin without the ending, by type. */
const ILL_NAMED = ['active_resources_total', 'active_handles_total', 'active_requests_total'];

export interface MetricsOptions {
  readonly version: string;
  /** Whether only operators see the metrics, so that accounts may be named. */
  readonly namesAccounts?: boolean;
}

export function createMetrics({ version, namesAccounts = false }: MetricsOptions): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, prefix: 'gatehouse_' });
  for (const name of ILL_NAMED) registry.removeSingleMetric(`gatehouse_nodejs_${name}`);
  new Gauge({
    name: 'gatehouse_build_info',
    help: 'Always 1; the labels say which version runs on which Node.js.',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version, node: process.version }, 1);
  const readiness = new Gauge({
    name: 'gatehouse_ready',
    help: '1 when the service can serve, 0 while it starts or stops.',
    registers,
  });
  /** Requests since the last look, by operation: few ends of each, so that a list is found through fastest. */
  const answered = new Map<string, Ended[]>();
  new Counter({
    name: 'gatehouse_requests_total',
    help: 'Requests answered, by operation, status and verdict (empty unless a signup was assessed).',
    labelNames: ['operation', 'status', 'verdict'],
    registers,
    collect() {
      for (const [operation, ends] of answered) {
        for (const { status, verdict, count } of ends) this.inc({ operation, status, verdict }, count);
      }
      answered.clear();
    },
  });
  /** Live signups since the last look, by reason code and verdict. */
  const reasonCounts = new Map<ReasonCode, Map<string, number>>();
  new Counter({
    name: 'gatehouse_reasons_total',
    help: 'Live signups by reason code and verdict; a signup with several reasons counts once for each.',
    labelNames: ['code', 'verdict'],
    registers,
    collect() {
      for (const [code, verdicts] of reasonCounts) {
        for (const [verdict, count] of verdicts) this.inc({ code, verdict }, count);
      }
      reasonCounts.clear();
    },
  });
  const batch = new Histogram({
    name: 'gatehouse_commit_batch_size',
    help: 'Writes that shared one durable commit.',
    buckets: BATCH_SIZES,
    registers,
  });
  const commit = new Histogram({
    name: 'gatehouse_commit_seconds',
    help: 'Time of one durable commit.',
    buckets: FAST_SECONDS,
    registers,
  });
  const degraded = new Gauge({
    name: 'gatehouse_counters_degraded',
    help: '1 while this node counts alone because the shared counters do not answer, else 0.',
    registers,
  });
  const alone = new Counter({
    name: 'gatehouse_counters_partial_total',
    help: 'Attempts whose velocity is a lower bound because the shared counters did not answer in time.',
    registers,
  });
  const distrustedSources = new Gauge({
    name: 'gatehouse_source_distrusted',
    help: '1 while a source (dns, rdap, …) is wrong about known domains or addresses, so that its answers do not count, else 0.',
    labelNames: ['source'],
    registers,
  });
  const timings = (name: string, help: string, label: string, bounds: readonly number[]) =>
    createTimings({ name, help, label, bounds });
  const latency = timings('gatehouse_request_seconds', 'Time to answer.', 'operation', FAST_SECONDS);
  const gatherers = timings('gatehouse_gatherer_seconds', 'Time to gather.', 'gatherer', GATHERER_SECONDS);
  const dns = timings('gatehouse_dns_seconds', 'MX look-ups, by outcome.', 'outcome', GATHERER_SECONDS);
  const rdap = timings(
    'gatehouse_rdap_seconds',
    'Domain age look-ups, by outcome.',
    'outcome',
    GATHERER_SECONDS,
  );
  const upstream = (name: string, who: string) =>
    timings(`gatehouse_${name}_seconds`, `Look-ups at ${who}, by outcome.`, 'outcome', GATHERER_SECONDS);
  const dnsbl = upstream('dnsbl', 'DNS blocklists');
  const abuseIpDb = upstream('abuseipdb', 'AbuseIPDB');

  return {
    ...createFeedMetrics(registry, Date.now),
    ...createDatabaseMetrics(registry),
    ...createDnsMetrics(registry, namesAccounts),
    ...createVelocityMetrics(registry),
    request(operation, status, verdict, seconds) {
      let ends = answered.get(operation);
      if (ends === undefined) {
        ends = [];
        answered.set(operation, ends);
      }
      const end = ends.find((one) => one.status === status && one.verdict === verdict);
      if (end === undefined) ends.push({ status, verdict, count: 1 });
      else end.count += 1;
      latency.observe(operation, seconds);
    },
    reasons(verdict, codes) {
      for (const code of codes) {
        let verdicts = reasonCounts.get(code);
        if (verdicts === undefined) {
          verdicts = new Map();
          reasonCounts.set(code, verdicts);
        }
        verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
      }
    },
    gatherer: (gatherer, milliseconds) => gatherers.observe(gatherer, milliseconds / 1000),
    dns: (outcome, milliseconds) => dns.observe(outcome, milliseconds / 1000),
    rdap: (outcome, milliseconds) => rdap.observe(outcome, milliseconds / 1000),
    dnsbl: (outcome, milliseconds) => dnsbl.observe(outcome, milliseconds / 1000),
    abuseIpDb: (outcome, milliseconds) => abuseIpDb.observe(outcome, milliseconds / 1000),
    commit(jobs, milliseconds) {
      batch.observe(jobs);
      commit.observe(milliseconds / 1000);
    },
    countersDegraded: (isDegraded) => degraded.set(Number(isDegraded)),
    sourceDistrusted: (source, distrusted) => distrustedSources.set({ source }, Number(distrusted)),
    countedAlone: () => alone.inc(),
    async expose(ready) {
      readiness.set(Number(ready));
      const own = [latency, gatherers, dns, rdap, dnsbl, abuseIpDb]
        .map((family) => family.expose())
        .join('\n');
      return { text: `${await registry.metrics()}\n${own}`, contentType: registry.contentType };
    },
  };
}
