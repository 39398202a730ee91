/** A running service as most tests need it: an account, its two keys, and a DNS server that knows every domain. */
import type { Account } from '../../src/store/store.ts';
import { type Client, createClient } from './client.ts';
import { startDnsServer, type TestDnsServer, type ZoneEntry } from './dns-server.ts';
import { type Planted, plant } from './plant.ts';
import { startRdapServer, type TestRdapServer } from './rdap-server.ts';
import { createInstallation, type Environment, type Installation, type Service } from './service.ts';

export interface Scene {
  readonly installation: Installation;
  readonly service: Service;
  readonly dns: TestDnsServer;
  readonly rdap: TestRdapServer;
  readonly account: Planted;
  /** A client with the account's live key. */
  readonly live: Client;
  /** A client with its sandbox key. */
  readonly sandbox: Client;
  /** Stops everything and removes all files. */
  end(): Promise<void>;
}

export interface SceneOptions {
  /** How the account differs from a default account on plan `business`. */
  readonly account?: Partial<Account>;
  readonly environment?: Environment;
  /** The RDAP server for domain ages. Default: RDAP is off. */
  readonly rdap?: boolean;
  /** The DNS answer for names that were not set. Default: a large provider handles their mail. */
  readonly fallback?: ZoneEntry;
  /** Starts the service as a process, for tests that signal or kill it. */
  readonly process?: boolean;
  /** See `Installation.start`. */
  readonly strictReader?: boolean;
  /** The program of that process; default: the command line. */
  readonly program?: readonly string[];
  /** The folder of the build that it runs; default: ours. */
  readonly build?: string;
  /** Runs before the service starts, so that its accounts exist from the first request on. */
  readonly prepare?: (installation: Installation) => Promise<void>;
}

/** By default a large provider, about which nothing is learned, handles the mail of every domain. */
export async function startScene(options: SceneOptions = {}): Promise<Scene> {
  const [dns, rdap] = await Promise.all([startDnsServer(), startRdapServer()]);
  dns.fallback = options.fallback ?? { mx: ['10 aspmx.l.google.com'] };
  const settings = {
    GATEHOUSE_DNS_SERVERS: dns.address,
    ...(options.rdap === true ? { GATEHOUSE_RDAP_BOOTSTRAP_URL: rdap.bootstrapUrl } : {}),
    ...options.environment,
  };
  const installation = await createInstallation(settings, options.build);
  const account = await plant(installation, options.account);
  await options.prepare?.(installation);
  const service = await (options.process === true
    ? installation.spawn({}, options.program)
    : installation.start({}, options.strictReader));
  const live = createClient(service.url, account.live);
  const sandbox = createClient(service.url, account.test);
  return {
    installation,
    service,
    dns,
    rdap,
    account,
    live,
    sandbox,
    async end() {
      live.close();
      sandbox.close();
      await installation.remove();
      await Promise.all([dns.close(), rdap.close()]);
    },
  };
}

/** A private address whose domain no list knows; `name` and `domain` make attempts different. */
export function colleague(name: string, domain = 'quiet-harbour-works.com'): string {
  return `${name}@${domain}`;
}
