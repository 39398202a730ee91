/** What the service tells Prometheus about itself. */
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

export interface Metrics {
  request(operation: string, status: number, verdict: string, seconds: number): void;
  gatherer(gatherer: string, milliseconds: number): void;
  dns(outcome: string, milliseconds: number): void;
  rdap(outcome: string, milliseconds: number): void;
  commit(jobs: number, milliseconds: number): void;
  /** The exposition text and its content type. */
  expose(): Promise<{ text: string; contentType: string }>;
}

const FAST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const GATHERER_SECONDS = [0.00001, 0.0001, 0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, prefix: 'gatehouse_' });
  const requests = new Counter({
    name: 'gatehouse_requests_total',
    help: 'Requests answered, by operation, status and verdict (empty unless a signup was assessed).',
    labelNames: ['operation', 'status', 'verdict'],
    registers,
  });
  const histogram = <L extends string>(name: string, help: string, label: L, buckets: number[]) =>
    new Histogram({ name, help, labelNames: [label], buckets, registers });
  const latency = histogram('gatehouse_request_seconds', 'Time to answer.', 'operation', FAST_SECONDS);
  const gatherers = histogram('gatehouse_gatherer_seconds', 'Time to gather.', 'gatherer', GATHERER_SECONDS);
  const dns = histogram('gatehouse_dns_seconds', 'MX look-ups, by outcome.', 'outcome', GATHERER_SECONDS);
  const rdap = histogram(
    'gatehouse_rdap_seconds',
    'Domain age look-ups, by outcome.',
    'outcome',
    GATHERER_SECONDS,
  );
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
  const countRequest = memoized((name) => {
    const [operation, status, verdict] = name.split('|') as [string, string, string];
    return requests.labels({ operation, status, verdict });
  });
  const latencyOf = memoized((operation) => latency.labels({ operation }));
  const gathererOf = memoized((gatherer) => gatherers.labels({ gatherer }));
  const dnsOf = memoized((outcome) => dns.labels({ outcome }));
  const rdapOf = memoized((outcome) => rdap.labels({ outcome }));

  return {
    request(operation, status, verdict, seconds) {
      countRequest(`${operation}|${status}|${verdict}`).inc();
      latencyOf(operation).observe(seconds);
    },
    gatherer: (gatherer, milliseconds) => gathererOf(gatherer).observe(milliseconds / 1000),
    dns: (outcome, milliseconds) => dnsOf(outcome).observe(milliseconds / 1000),
    rdap: (outcome, milliseconds) => rdapOf(outcome).observe(milliseconds / 1000),
    commit(jobs, milliseconds) {
      batch.observe(jobs);
      commit.observe(milliseconds / 1000);
    },
    async expose() {
      return { text: await registry.metrics(), contentType: registry.contentType };
    },
  };
}

/** Binds labels once a value: looking them up costs more than counting. */
function memoized<T>(make: (name: string) => T): (name: string) => T {
  const made = new Map<string, T>();
  return (name) => {
    let value = made.get(name);
    if (value === undefined) {
      value = make(name);
      made.set(name, value);
    }
    return value;
  };
}
