/** The service's metrics for Prometheus. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ReasonCode } from '../contract/reasons.ts';
import type { ProofOutcome } from '../signup/challenges/proof-of-work.ts';
import type { ShedCause } from './core/load-shedder.ts';
import type { HookOutcome } from './hooks-decide.ts';
import type { MailHookOutcome } from './hooks-mail.ts';
import { replaceEventLoopMetrics } from './metrics-event-loop.ts';
import { createFeedMetrics, type FeedMetrics } from './metrics-feeds.ts';
import { createResourceMetrics, type ResourceMetrics } from './metrics-resources.ts';
import { createTimings } from './metrics-timings.ts';

export interface Metrics extends FeedMetrics, ResourceMetrics {
  request(operation: string, status: number, verdict: string, seconds: number): void;
  /** One live signup got this verdict for these reasons, each code at most once. */
  reasons(verdict: string, codes: readonly ReasonCode[]): void;
  /** A request with an idempotency key got the answer of an earlier one. */
  idempotentReplay(operation: string): void;
  /** A request to a hook that exists was answered. */
  hookAnswer(provider: string, outcome: HookOutcome | MailHookOutcome): void;
  /** A request was refused because the service could not keep up. */
  shed(cause: ShedCause): void;
  gatherer(gatherer: string, milliseconds: number): void;
  dns(outcome: string, milliseconds: number): void;
  rdap(outcome: string, milliseconds: number): void;
  dnsbl(outcome: string, milliseconds: number): void;
  abuseIpDb(outcome: string, milliseconds: number): void;
  commit(jobs: number, milliseconds: number): void;
  /** Whether this node counts locally because the shared counters cannot be reached. */
  countersDegraded(degraded: boolean): void;
  /** One attempt had counts that are lower bounds for that reason. */
  countedAlone(): void;
  /** Whether a source gives wrong answers about well-known names, so that its answers do not count. */
  sourceDistrusted(source: string, distrusted: boolean): void;
  /** Keys and hooks that one address dominates. */
  sharedAddresses(kind: string, keys: number): void;
  /** Open alerts of a kind, of all accounts. */
  alertsOpen(kind: string, count: number): void;
  /** Open waves of signups, of all accounts. */
  campaignsOpen(count: number): void;
  /** One signup belonged to an open wave, and was answered so. */
  campaignMember(verdict: string): void;
  /** A proof of work was made for a visitor, or a response to one was passed or refused. */
  proofOfWork(outcome: ProofOutcome): void;
  /** The exposition text and its content type. @param ready whether the service can serve */
  expose(ready: boolean): Promise<{ text: string; contentType: string }>;
}

const FAST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const GATHERER_SECONDS = [0.00001, 0.0001, 0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

/** prom-client has no option that turns off sampling of the event loop. */
const HARDLY_EVER_MS = 86_400_000;

/** Gauges whose names end like counters; each has a twin without the ending, by type. */
const ILL_NAMED = ['active_resources_total', 'active_handles_total', 'active_requests_total'];

export interface MetricsOptions {
  readonly version: string;
  /** Whether only operators see the metrics, so that accounts may be named. */
  readonly namesAccounts?: boolean;
}

export function createMetrics({ version, namesAccounts = false }: MetricsOptions): Metrics {
  const registry = new Registry();
  const ours = { register: registry, prefix: 'gatehouse_' };
  collectDefaultMetrics({ ...ours, eventLoopMonitoringPrecision: HARDLY_EVER_MS });
  replaceEventLoopMetrics(registry, ours.prefix);
  for (const name of ILL_NAMED) registry.removeSingleMetric(`gatehouse_nodejs_${name}`);
  nameBuild(registry, version);
  const readiness = new Gauge({
    name: 'gatehouse_ready',
    help: '1 when the service can serve, 0 while it starts or stops.',
    registers: [registry],
  });
  const timings = createServiceTimings();
  const count = createRequestCounts(registry);

  return {
    ...createFeedMetrics(registry, Date.now),
    ...createResourceMetrics(registry, namesAccounts),
    ...createCommitMetrics(registry),
    ...createSharedCounterMetrics(registry),
    ...timings.observers,
    reasons: createReasonCounts(registry),
    idempotentReplay: createReplayCounts(registry),
    hookAnswer: createHookCounts(registry),
    shed: createShedCounts(registry),
    request(operation, status, verdict, seconds) {
      count(operation, status, verdict);
      timings.request(operation, seconds);
    },
    sourceDistrusted: createDistrustGauge(registry),
    sharedAddresses: createSharedAddressGauge(registry),
    alertsOpen: createAlertGauge(registry),
    ...createCampaignMetrics(registry),
    proofOfWork: createProofCounts(registry),
    async expose(ready) {
      readiness.set(Number(ready));
      return { text: `${await registry.metrics()}\n${timings.expose()}`, contentType: registry.contentType };
    },
  };
}

function nameBuild(registry: Registry, version: string): void {
  new Gauge({
    name: 'gatehouse_build_info',
    help: 'Always 1; the labels say which version runs on which Node.js.',
    labelNames: ['version', 'node'],
    registers: [registry],
  }).set({ version, node: process.version }, 1);
}

/** Requests with the same status and verdict. */
interface RequestEnd {
  readonly status: number;
  readonly verdict: string;
  count: number;
}

/** Counts in plain numbers, which are copied to the metrics at a scrape: this runs for each answer. */
function createRequestCounts(registry: Registry) {
  /** Answers by operation: each list is short, so a linear search is fastest. */
  const answered = new Map<string, RequestEnd[]>();
  new Counter({
    name: 'gatehouse_requests_total',
    help: 'Requests answered, by operation, status and verdict (empty unless a signup was assessed).',
    labelNames: ['operation', 'status', 'verdict'],
    registers: [registry],
    collect() {
      for (const [operation, ends] of answered) {
        for (const { status, verdict, count } of ends) this.inc({ operation, status, verdict }, count);
      }
      answered.clear();
    },
  });
  return (operation: string, status: number, verdict: string): void => {
    let ends = answered.get(operation);
    if (ends === undefined) {
      ends = [];
      answered.set(operation, ends);
    }
    const end = ends.find((each) => each.status === status && each.verdict === verdict);
    if (end === undefined) ends.push({ status, verdict, count: 1 });
    else end.count += 1;
  };
}

function createReasonCounts(registry: Registry): Metrics['reasons'] {
  const counts = new Map<ReasonCode, Map<string, number>>();
  new Counter({
    name: 'gatehouse_reasons_total',
    help: 'Live signups by reason code and verdict; a signup with several reasons counts once for each.',
    labelNames: ['code', 'verdict'],
    registers: [registry],
    collect() {
      for (const [code, verdicts] of counts) {
        for (const [verdict, count] of verdicts) this.inc({ code, verdict }, count);
      }
      counts.clear();
    },
  });
  return (verdict, codes) => {
    for (const code of codes) {
      let verdicts = counts.get(code);
      if (verdicts === undefined) {
        verdicts = new Map();
        counts.set(code, verdicts);
      }
      verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
    }
  };
}

function createReplayCounts(registry: Registry): Metrics['idempotentReplay'] {
  const replays = new Counter({
    name: 'gatehouse_idempotent_replays_total',
    help: 'Requests that got the answer of an earlier one with the same idempotency key.',
    labelNames: ['operation'],
    registers: [registry],
  });
  return (operation) => replays.inc({ operation });
}

function createHookCounts(registry: Registry): Metrics['hookAnswer'] {
  const answers = new Counter({
    name: 'gatehouse_hook_answers_total',
    help: 'Requests of auth and mail providers, by how they were answered; late, shed, failed, quota_exceeded and rate_limit without a verdict, …_by_lists by lists alone.',
    labelNames: ['provider', 'outcome'],
    registers: [registry],
  });
  return (provider, outcome) => answers.inc({ provider, outcome });
}

function createShedCounts(registry: Registry): Metrics['shed'] {
  const counts: Record<ShedCause, number> = { event_loop: 0, commit: 0 };
  new Counter({
    name: 'gatehouse_requests_shed_total',
    help: 'Requests refused before they were read because too many came, by what could not keep up: event_loop or commit.',
    labelNames: ['cause'],
    registers: [registry],
    collect() {
      for (const [cause, count] of Object.entries(counts)) this.inc({ cause }, count);
      counts.event_loop = 0;
      counts.commit = 0;
    },
  });
  return (cause) => {
    counts[cause] += 1;
  };
}

function createCommitMetrics(registry: Registry): Pick<Metrics, 'commit'> {
  const registers = [registry];
  const batch = new Histogram({
    name: 'gatehouse_commit_batch_size',
    help: 'Writes that shared one durable commit.',
    buckets: BATCH_SIZES,
    registers,
  });
  const time = new Histogram({
    name: 'gatehouse_commit_seconds',
    help: 'Time of one durable commit.',
    buckets: FAST_SECONDS,
    registers,
  });
  return {
    commit(jobs, milliseconds) {
      batch.observe(jobs);
      time.observe(milliseconds / 1000);
    },
  };
}

function createSharedCounterMetrics(registry: Registry): Pick<Metrics, 'countersDegraded' | 'countedAlone'> {
  const registers = [registry];
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
  return {
    countersDegraded: (isDegraded) => degraded.set(Number(isDegraded)),
    countedAlone: () => alone.inc(),
  };
}

function createDistrustGauge(registry: Registry): Metrics['sourceDistrusted'] {
  const gauge = new Gauge({
    name: 'gatehouse_source_distrusted',
    help: '1 while a source (dns, rdap, …) is wrong about known domains or addresses, so that its answers do not count, else 0.',
    labelNames: ['source'],
    registers: [registry],
  });
  return (source, distrusted) => gauge.set({ source }, Number(distrusted));
}

function createSharedAddressGauge(registry: Registry): Metrics['sharedAddresses'] {
  const gauge = new Gauge({
    name: 'gatehouse_shared_address_keys',
    help: 'Keys and hooks whose signups nearly all have one IP: everybody (a proxy or server; bursts do not count) or doubtful (it may be an attack; bursts count).',
    labelNames: ['kind'],
    registers: [registry],
  });
  return (kind, keys) => gauge.set({ kind }, keys);
}

function createAlertGauge(registry: Registry): Metrics['alertsOpen'] {
  const gauge = new Gauge({
    name: 'gatehouse_alerts',
    help: 'Open alerts of all accounts, by kind: what is unusual now.',
    labelNames: ['kind'],
    registers: [registry],
  });
  return (kind, count) => gauge.set({ kind }, count);
}

function createProofCounts(registry: Registry): Metrics['proofOfWork'] {
  const proofs = new Counter({
    name: 'gatehouse_proofs_of_work_total',
    help: 'Proofs of work: made for a visitor, passed, or refused.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  return (outcome) => proofs.inc({ outcome });
}

function createCampaignMetrics(registry: Registry): Pick<Metrics, 'campaignsOpen' | 'campaignMember'> {
  const registers = [registry];
  const open = new Gauge({
    name: 'gatehouse_campaigns_open',
    help: 'Open waves of signups, of all accounts.',
    registers,
  });
  const members = new Counter({
    name: 'gatehouse_campaign_members_total',
    help: 'Live signups that belonged to an open wave: stopped (challenged or blocked) or let_in.',
    labelNames: ['outcome'],
    registers,
  });
  return {
    campaignsOpen: (count) => open.set(count),
    campaignMember: (verdict) => members.inc({ outcome: verdict === 'allow' ? 'let_in' : 'stopped' }),
  };
}

/** Histograms of how long answers took, and everything that is looked up for them. */
function createServiceTimings() {
  const lookups = (name: string, help: string, label = 'outcome') =>
    createTimings({ name: `gatehouse_${name}_seconds`, help, label, bounds: GATHERER_SECONDS });
  const requests = createTimings({
    name: 'gatehouse_request_seconds',
    help: 'Time to answer.',
    label: 'operation',
    bounds: FAST_SECONDS,
  });
  const gatherers = lookups('gatherer', 'Time to gather.', 'gatherer');
  const dns = lookups('dns', 'MX look-ups, by outcome.');
  const rdap = lookups('rdap', 'Domain age look-ups, by outcome.');
  const dnsbl = lookups('dnsbl', 'Look-ups at DNS blocklists, by outcome.');
  const abuseIpDb = lookups('abuseipdb', 'Look-ups at AbuseIPDB, by outcome.');
  const observe = (family: typeof dns) => (label: string, milliseconds: number) =>
    family.observe(label, milliseconds / 1000);
  return {
    request: requests.observe,
    observers: {
      gatherer: observe(gatherers),
      dns: observe(dns),
      rdap: observe(rdap),
      dnsbl: observe(dnsbl),
      abuseIpDb: observe(abuseIpDb),
    },
    expose: () =>
      [requests, gatherers, dns, rdap, dnsbl, abuseIpDb].map((family) => family.expose()).join('\n'),
  };
}
