/** Decides what `gatehouse doctor` says about proxies: which one is used for what, and whether it answers. */
import type { Config } from '../../config/config.ts';
import type { DoctorCheck } from '../../model/doctor-check.ts';
import { createProxyChoice, nameOf } from '../../outbound/proxy-choice.ts';
import { ProxyError } from '../../outbound/proxy-tunnel.ts';
import { createWebClient } from '../../outbound/web-client.ts';
import { toCheck } from './to-check.ts';

const ANSWER_MS = 5_000;
const ADVICE = 'check HTTP_PROXY, HTTPS_PROXY and NO_PROXY';

/** An address that the service asks. */
interface Target {
  readonly use: string;
  readonly url: URL;
}

/** One line a proxy; none where no proxy is set. `feedUrls`: of the feeds that are on. */
export async function examineProxies(config: Config, feedUrls: readonly string[]): Promise<DoctorCheck[]> {
  const { httpProxy, httpsProxy } = config;
  const proxies = [...new Set([httpProxy, httpsProxy])].filter((proxy) => proxy !== null);
  const targets = targetsOf(config, feedUrls);
  const choose = createProxyChoice(config);
  return Promise.all(
    proxies.map(async (href) => {
      const proxy = new URL(href);
      const through = targets.filter(({ url }) => choose(url)?.href === proxy.href);
      return toCheck(`proxy ${nameOf(proxy)}`, await judge(config, through, targets));
    }),
  );
}

async function judge(
  config: Config,
  through: readonly Target[],
  all: readonly Target[],
): Promise<Parameters<typeof toCheck>[1]> {
  const [first] = through;
  if (first === undefined) return ['warning', 'nothing goes through it', ADVICE];
  const others = all.filter((target) => !through.includes(target));
  const directly = others.length === 0 ? '' : `; without it: ${usesOf(others)}`;
  const uses = `used for ${usesOf(through)}${directly}`;
  const why = await tryProxy(config, first.url);
  return why === undefined ? ['ok', `answers; ${uses}`] : ['failed', `${why}; ${uses}`, ADVICE];
}

/** Reason why the target cannot be reached; `undefined`: it answered, with whatever status. */
async function tryProxy(config: Config, url: URL): Promise<string | undefined> {
  const client = createWebClient({ proxies: config });
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const response = await client.request(url, { reach: 'anywhere', method: 'HEAD', headers: {}, signal });
    response.discard();
    return undefined;
  } catch (error) {
    const { name, message } = error as Error;
    if (error instanceof ProxyError) return message;
    if (name === 'TimeoutError') return `no answer for ${url.host} within ${ANSWER_MS / 1_000} s`;
    return `${url.host} cannot be reached through it: ${message}`;
  } finally {
    client.close();
  }
}

function targetsOf(config: Config, feedUrls: readonly string[]): Target[] {
  const { rdapBootstrapUrl, abuseIpDbKey, turnstileSecret, hcaptchaSecret, recaptchaSecret } = config;
  const uses: readonly (readonly [use: string, url: string | null])[] = [
    ['RDAP', rdapBootstrapUrl],
    ...(config.feeds ? feedUrls : []).map((url) => ['feeds', url] as const),
    ['AbuseIPDB', abuseIpDbKey === null ? null : config.abuseIpDbUrl],
    ['Turnstile', turnstileSecret === null ? null : config.turnstileUrl],
    ['hCaptcha', hcaptchaSecret === null ? null : config.hcaptchaUrl],
    ['reCAPTCHA', recaptchaSecret === null ? null : config.recaptchaUrl],
    ['sign-in', config.oidcIssuer],
  ];
  return uses.flatMap(([use, url]) => (url === null ? [] : [{ use, url: new URL(url) }]));
}

/** `RDAP, 26 feeds` */
function usesOf(targets: readonly Target[]): string {
  const counts = new Map<string, number>();
  for (const { use } of targets) counts.set(use, (counts.get(use) ?? 0) + 1);
  return [...counts].map(([use, count]) => (use === 'feeds' ? `${count} feeds` : use)).join(', ');
}
