/** Wires and opens the ports: the service and, if configured, metrics and health on a port of their own. */
import type { Logger } from 'pino';
import { createKnownDevices } from '../accounts/known-device.ts';
import { createSecretBox } from '../accounts/secret-box.ts';
import { createSessionClock } from '../accounts/session-clock.ts';
import { createSignIn } from '../accounts/sign-in.ts';
import type { AddressHashes } from '../address/fingerprint.ts';
import { networkOf, parseIp } from '../address/ip.ts';
import type { Config } from '../config/config.ts';
import { createMakeId } from '../contract/identifiers.ts';
import type { Events } from '../events/events.ts';
import type { Gather } from '../evidence/gather.ts';
import { listen, type OpenPort, readMaxConnections } from '../http/core/open-port.ts';
import { createToErrorResponse } from '../http/core/problems.ts';
import type { DashboardParts } from '../http/dashboard.ts';
import { signInMethodsOf } from '../http/dashboard-oidc.ts';
import { createMetricsServer } from '../http/health.ts';
import { createServer, type ServerOptions } from '../http/server.ts';
import { socketPathOf } from '../model/listen-address.ts';
import { createWebClient, type WebClient } from '../outbound/web-client.ts';
import type { Clocks } from '../platform/steady-clock.ts';
import type { Store } from '../store/store.ts';
import { wireHooks } from './hooks.ts';

export interface Ports {
  /** Returns the service's URL. @throws naming the setting to change, when a port is not available */
  open(): Promise<string>;
  /** Closes each port once its requests have been answered. */
  close(): Promise<void>;
}

export interface PortsOptions
  extends Pick<
    ServerOptions,
    | 'assessSignup'
    | 'rateLimiter'
    | 'idempotency'
    | 'challenges'
    | 'directory'
    | 'metrics'
    | 'ready'
    | 'becomeReady'
    | 'stopping'
    | 'distrusted'
    | 'sharedAddresses'
    | 'takeBack'
    | 'strictReader'
    | 'tracing'
  > {
  readonly config: Config;
  readonly store: Store;
  readonly log: Logger;
  readonly clocks: Clocks;
  readonly secret: Buffer;
  readonly fingerprint: ServerOptions['fingerprint'];
  /** Hashes people's addresses, as those of signups are hashed. */
  readonly addressHashes: AddressHashes;
  /** Evidence without a look-up. */
  readonly gatherFromMemory: Gather;
  readonly services: DashboardParts['services'];
  readonly events: Events;
}

export async function wirePorts(options: PortsOptions): Promise<Ports> {
  const { config, log, store, ready, stopping } = options;
  const shared = sharedParts(options);
  const { gatherFromMemory: gather, addressHashes: hashes } = options;
  const beside = { gather, hashes, proxies: config, texts: store.cache };
  const web = createWebClient({ proxies: config });
  const hooks = wireHooks(options.secret, beside);
  const server = createServer({
    ...shared,
    log,
    ready,
    becomeReady: options.becomeReady,
    assessSignup: options.assessSignup,
    rateLimiter: options.rateLimiter,
    idempotency: options.idempotency,
    challenges: options.challenges,
    directory: options.directory,
    fingerprint: options.fingerprint,
    metricsElsewhere: config.metricsPort !== null,
    accessLog: config.accessLog,
    appealDays: config.appealDays,
    listening: config,
    maxConnections: await readMaxConnections(),
    shedAfterMs: config.shedAfterMs,
    strictReader: options.strictReader,
    tracing: options.tracing,
    publicUrl: config.publicUrl,
    dashboard: dashboardParts(options, web),
    hooks,
    destinations: options.events.admin,
    takeBack: options.takeBack,
  });
  const metricsServer = createMetricsServer({
    ...shared,
    ready: () => ready() && !stopping(),
    toErrorResponse: createToErrorResponse(log),
  });

  const ports: OpenPort[] = [];
  async function open(...parts: Parameters<typeof listen>): Promise<string> {
    const port = await listen(...parts);
    ports.push(port);
    return port.url;
  }

  return {
    async open() {
      const { host, metricsPort } = config;
      if (metricsPort !== null) {
        const url = await open(
          metricsServer,
          { host: metricsHostOf(host), port: metricsPort },
          'GATEHOUSE_METRICS_PORT',
        );
        log.info({ url: `${url}/metrics` }, 'metrics and health');
      }
      return open(server, config);
    },
    async close() {
      await Promise.all(ports.map((port) => port.close()));
      hooks.close();
      web.close();
    },
  };
}

function sharedParts({ store, metrics, distrusted, sharedAddresses, stopping, clocks }: PortsOptions) {
  return {
    store,
    metrics,
    distrusted,
    sharedAddresses,
    stopping,
    canCommit: store.canCommit,
    commitsAreBehind: store.commitsAreBehind,
    makeId: createMakeId(),
    clock: clocks.calendar,
  };
}

function dashboardParts(options: PortsOptions, web: WebClient): DashboardParts {
  const { config, store, secret, clocks, log, services } = options;
  const sessionClock = createSessionClock({ wall: clocks.wall, monotonic: clocks.monotonic });
  const onFault = (err: unknown) => log.warn({ err }, 'the last use of a session could not be saved');
  const signIn = createSignIn({ store, secret, clock: sessionClock, onFault });
  const { passwordHashOf } = signIn;
  const devices = createKnownDevices({ secret, clock: sessionClock.now, passwordHashOf });
  const secretBox = createSecretBox(secret);
  const signInMethods = signInMethodsOf(config, web, log);
  return { signIn, devices, sessionClock, secretBox, networkOf: clientNetwork, services, signInMethods };
}

/** Address of the port of metrics: this machine's own one, if the service listens on a Unix socket. */
function metricsHostOf(host: string): string {
  return socketPathOf(host) === undefined ? host : '127.0.0.1';
}

/** The key that failed sign-ins are counted by: an IPv6 address counts as its /64. */
function clientNetwork(ip: string): string {
  const address = parseIp(ip);
  return address === undefined ? ip : networkOf(address);
}
