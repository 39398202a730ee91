/** Decides what `gatehouse doctor` says about everything around an installation: its service, clock, resolvers, feeds and counters. */
import type { Config } from '../../config/config.ts';
import { createDnsClient } from '../../evidence/sources/dns-client.ts';
import { readServiceUrl } from '../../installation/data-folder.ts';
import { createFeedService } from '../../intel/feed-service.ts';
import { readFeedSettings } from '../../intel/feed-settings.ts';
import type { DoctorCheck } from '../../model/doctor-check.ts';
import type { ProxySettings } from '../../outbound/proxy-choice.ts';
import { createWebClient } from '../../outbound/web-client.ts';
import { openInstallationIntel } from '../../wiring/intel-place.ts';
import { askService, placeOf } from './ask-service.ts';
import type { ExaminedStorage, OtherClock } from './doctor-storage.ts';
import { toCheck } from './to-check.ts';

const ANSWER_MS = 3_000;
/** Nodes that differ by more judge windows and expiries differently. */
const SKEW_MS = 2_000;
const BAD_SKEW_MS = 60_000;
/** More feeds are only counted. */
const MAX_NAMES = 5;
const CLOCK_ADVICE = 'set the clock of this machine, and run an NTP client';

export async function examineService({ dataDir, metricsPort }: Config): Promise<DoctorCheck> {
  const name = 'service';
  const url = readServiceUrl(dataDir);
  if (url === undefined) return toCheck(name, ['ok', 'not running on this data folder']);
  const near = placeOf(url, metricsPort);
  if (near === undefined) return toCheck(name, ['ok', `started at ${url}; its metrics port is not known`]);
  try {
    const { status, text } = await askService(near, '/readyz');
    const ok = status === 200;
    const { shared_addresses: shared = 0 } = ok ? (JSON.parse(text) as { shared_addresses?: number }) : {};
    if (shared > 0)
      return toCheck(name, [
        'warning',
        `ready at ${url}; nearly all signups of ${shared === 1 ? 'a key or hook' : `${shared} keys or hooks`} have one IP`,
        'see the log, and docs/troubleshooting.md#one-ip-for-everybody',
      ]);
    if (ok) return toCheck(name, ['ok', `ready at ${url}`]);
    return toCheck(name, ['failed', `running at ${url}, but not ready (${status})`, 'read its log']);
  } catch (error) {
    const { code, name: kind } = error as NodeJS.ErrnoException;
    if (code === 'ECONNREFUSED' || code === 'ENOENT')
      return toCheck(name, ['ok', 'not running; the last one ended without cleaning up']);
    return toCheck(name, ['failed', `no answer from ${near.name} (${code ?? kind})`, 'read its log']);
  }
}

const HOOK_ANSWERS = /^gatehouse_hook_answers_total\{provider="(\w+)",outcome="(\w+)"\} (\d+)$/gm;
const WITHOUT_VERDICT = new Set([
  'quota_exceeded',
  'rate_limit',
  'shed',
  'late',
  'failed',
  'denied_by_lists',
]);

/** Hooks that answered without a verdict since the service began; nothing where there are none, or it cannot be asked. */
export async function examineHooks({ dataDir, metricsPort }: Config): Promise<readonly DoctorCheck[]> {
  const url = readServiceUrl(dataDir);
  const near = url === undefined ? undefined : placeOf(url, metricsPort);
  if (near === undefined) return [];
  const text = await askService(near, '/metrics').then(
    (answer) => answer.text,
    () => '',
  );
  const counts = [...text.matchAll(HOOK_ANSWERS)].filter(([, , outcome = '']) =>
    WITHOUT_VERDICT.has(outcome),
  );
  if (counts.length === 0) return [];
  const found = counts.map(([, provider, outcome, count]) => `${provider} ${outcome} ${count}`).join(', ');
  const advice = 'read its log and docs/hooks.md: a flood, a month that is used up, or a failure';
  return [toCheck('hooks', ['warning', `answered without a verdict since the start: ${found}`, advice])];
}

/** Compares the clock with every other one that can be asked. */
export async function examineClock(
  config: Config,
  { clocks, newestAt }: Pick<ExaminedStorage, 'clocks' | 'newestAt'>,
): Promise<DoctorCheck> {
  const { rdapBootstrapUrl } = config;
  const web = rdapBootstrapUrl === null ? undefined : await askWebClock(rdapBootstrapUrl, config);
  const others = web === undefined ? clocks : [...clocks, web];
  const furthest = others.toSorted((a, b) => Math.abs(b.aheadMs) - Math.abs(a.aheadMs))[0];
  if (newestAt !== null && newestAt - Date.now() > BAD_SKEW_MS)
    return toCheck('clock', [
      'failed',
      `behind the newest assessment by ${Math.round((newestAt - Date.now()) / 1_000)} s`,
      CLOCK_ADVICE,
    ]);
  if (furthest === undefined)
    return toCheck('clock', [
      'ok',
      'not behind the stored assessments; there was no other clock to compare it with',
    ]);
  const seconds = Math.round(Math.abs(furthest.aheadMs) / 100) / 10;
  const found = `${seconds} s ${furthest.aheadMs > 0 ? 'behind' : 'ahead of'} the clock of ${furthest.name}`;
  if (Math.abs(furthest.aheadMs) > BAD_SKEW_MS) return toCheck('clock', ['failed', found, CLOCK_ADVICE]);
  if (Math.abs(furthest.aheadMs) > SKEW_MS) return toCheck('clock', ['warning', found, CLOCK_ADVICE]);
  return toCheck('clock', [
    'ok',
    `agrees with ${others.map(({ name }) => name).join(', ')} within ${seconds} s`,
  ]);
}

/** Servers write the time into each answer, in whole seconds. */
async function askWebClock(url: string, proxies: ProxySettings): Promise<OtherClock | undefined> {
  const client = createWebClient({ proxies });
  const before = Date.now();
  const signal = AbortSignal.timeout(ANSWER_MS);
  const question = { reach: 'anywhere', method: 'HEAD', headers: {}, signal } as const;
  const answer = await client.request(new URL(url), question).catch(() => undefined);
  const at = Date.parse(answer?.headers.date ?? '');
  answer?.discard();
  client.close();
  if (Number.isNaN(at)) return undefined;
  return { name: new URL(url).hostname, aheadMs: at + 500 - (before + Date.now()) / 2 };
}

/** One line each: a server that is never asked first may be dead for months. */
export async function examineResolvers({ dnsServers, canaryDomains }: Config): Promise<DoctorCheck[]> {
  const outcomes = await Promise.all(dnsServers.map((server) => askResolver(server, canaryDomains)));
  const isAnyGood = outcomes.includes('good');
  return outcomes.map((outcome, at) => {
    const name = `resolver ${dnsServers[at]}`;
    if (outcome === 'good') return toCheck(name, ['ok', 'answers']);
    const advice = 'set GATEHOUSE_DNS_SERVERS to resolvers that answer from here';
    if (outcome === 'wrong')
      return toCheck(name, ['failed', 'says that large mail domains take no mail', advice]);
    return toCheck(name, [
      isAnyGood ? 'warning' : 'failed',
      `no answer within ${ANSWER_MS / 1_000} s`,
      advice,
    ]);
  });
}

async function askResolver(
  server: string,
  canaries: readonly string[],
): Promise<'good' | 'wrong' | 'silent'> {
  const client = createDnsClient({ servers: [server], deadlineMs: ANSWER_MS });
  try {
    const domains = canaries.length > 0 ? canaries : ['.'];
    const type = canaries.length > 0 ? 'MX' : 'NS';
    const replies = await Promise.all(domains.map((domain) => client.query(domain, type)?.reply));
    const statuses = replies.map((reply) => reply?.status);
    if (statuses.includes('records')) return 'good';
    if (statuses.every((status) => status === 'silent' || status === 'failed' || status === undefined))
      return 'silent';
    return type === 'MX' ? 'wrong' : 'good';
  } finally {
    client.close();
  }
}

export async function examineFeeds(config: Config, isUsable: boolean): Promise<DoctorCheck> {
  const name = 'feeds';
  if (!isUsable)
    return toCheck(name, ['warning', 'not looked at: the database cannot be read', 'see database']);
  const damage: string[] = [];
  try {
    const feeds = readFeedSettings(config.feedsFile ?? undefined);
    const repository = await openInstallationIntel({ ...config, feeds });
    try {
      const service = createFeedService({
        repository,
        feeds,
        clock: Date.now,
        onDamage: (feed, what) => damage.push(`${feed}: ${what}`),
      });
      const status = (await service.status()).filter(({ condition }) => condition !== 'off');
      const bad = status.filter(({ condition }) => condition !== 'ok');
      if (damage.length > 0)
        return toCheck(name, ['warning', damage.join('; '), '`gatehouse intel refresh` fetches them again']);
      if (!config.feeds)
        return toCheck(name, [
          'ok',
          'GATEHOUSE_FEEDS is off: nothing is fetched, the bundled lists are used',
        ]);
      if (bad.length === 0) return toCheck(name, ['ok', `all ${status.length} are up to date`]);
      const named = bad.slice(0, MAX_NAMES).map(({ id, condition }) => `${id} ${condition}`);
      const more = bad.length > MAX_NAMES ? [`${bad.length - MAX_NAMES} more`] : [];
      const names = [...named, ...more].join(', ');
      const advice =
        bad.length === status.length
          ? 'without a way to the Internet set HTTPS_PROXY, or GATEHOUSE_FEEDS=off; `gatehouse intel status` says why'
          : '`gatehouse intel status` says why; `gatehouse intel refresh` fetches them now';
      return toCheck(name, [
        'warning',
        `${bad.length} of ${status.length} are not up to date: ${names}`,
        advice,
      ]);
    } finally {
      await repository.close();
    }
  } catch (error) {
    return toCheck(name, [
      'failed',
      (error as Error).message,
      'correct GATEHOUSE_FEEDS_FILE, or check the folder intel',
    ]);
  }
}

export async function examineCounting(
  config: Config,
): Promise<{ readonly check: DoctorCheck; readonly clocks: readonly OtherClock[] }> {
  const name = 'counters';
  if (config.redisServers === null)
    return {
      check: toCheck(
        name,
        config.databaseUrl === null
          ? ['ok', 'in the memory of the service']
          : ['ok', 'in the memory of each process; several processes need REDIS_URL'],
      ),
      clocks: [],
    };
  const { examineCounters } = await import('../../velocity/redis/examine.ts');
  try {
    const { version, policy, isReplica, aheadMs } = await examineCounters(config.redisServers);
    const clocks = [{ name: 'Redis', aheadMs }];
    if (isReplica)
      return {
        check: toCheck(name, ['failed', 'this server is a replica', 'set REDIS_URL to the primary']),
        clocks,
      };
    if (policy !== 'noeviction') {
      const advice = 'set maxmemory-policy noeviction: evicted counts let signups through';
      return {
        check: toCheck(name, ['warning', `version ${version}, maxmemory-policy ${policy}`, advice]),
        clocks,
      };
    }
    return { check: toCheck(name, ['ok', `answer, version ${version}`]), clocks };
  } catch (error) {
    const { message, advice } = error as Error & { advice?: string };
    return { check: toCheck(name, ['failed', message, advice ?? 'check REDIS_URL']), clocks: [] };
  }
}

/** Address where the service of a data folder answers metrics and health; `undefined` where that is not known. */
