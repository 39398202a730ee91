/** Wires the ports: the service and, if configured, metrics and health on a port of their own. */
import type { Logger } from 'pino';
import { createKnownDevices } from './accounts/known-device.ts';
import { createSessionClock } from './accounts/session-clock.ts';
import { createSignIn } from './accounts/sign-in.ts';
import { networkOf, parseIp } from './address/ip.ts';
import type { Clocks } from './app-clocks.ts';
import { listen, type OpenPort, readMaxConnections } from './app-listen.ts';
import type { Config } from './config.ts';
import { createMakeId } from './contract/identifiers.ts';
import type { DashboardParts } from './http/dashboard.ts';
import { createMetricsServer } from './http/health.ts';
import { createToErrorResponse } from './http/problems.ts';
import { createServer, type ServerOptions } from './http/server.ts';
import type { Store } from './store/store.ts';

export interface Ports {
  /** Returns the service's URL. @throws naming the setting to change, when a port is not available */
  open(): Promise<string>;
  /** Closes each port once its requests have been answered. */
  close(): Promise<void>;
}

export interface PortsOptions
  extends Pick<
    ServerOptions,
    | 'assess'
    | 'directory'
    | 'quota'
    | 'counters'
    | 'metrics'
    | 'ready'
    | 'becomeReady'
    | 'stopping'
    | 'distrusted'
  > {
  readonly config: Config;
  readonly store: Store;
  readonly log: Logger;
  readonly clocks: Clocks;
  readonly secret: Buffer;
  readonly services: DashboardParts['services'];
}

export async function wirePorts(options: PortsOptions): Promise<Ports> {
  const { config, log, clocks, store, metrics, ready, stopping, distrusted } = options;
  const shared = {
    store,
    metrics,
    distrusted,
    stopping,
    canCommit: store.canCommit,
    makeId: createMakeId(),
    clock: clocks.wall,
  };
  const server = createServer({
    ...shared,
    log,
    ready,
    becomeReady: options.becomeReady,
    assess: options.assess,
    directory: options.directory,
    quota: options.quota,
    counters: options.counters,
    metricsElsewhere: config.metricsPort !== null,
    trustProxy: config.trustProxy,
    maxConnections: await readMaxConnections(),
    publicUrl: config.publicUrl,
    dashboard: dashboardParts(options),
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
        const url = await open(metricsServer, { host, port: metricsPort }, 'GATEHOUSE_METRICS_PORT');
        log.info({ url: `${url}/metrics` }, 'metrics and health');
      }
      return open(server, config);
    },
    async close() {
      await Promise.all(ports.map((port) => port.close()));
    },
  };
}

function dashboardParts({ store, secret, clocks, log, services }: PortsOptions): DashboardParts {
  const sessionClock = createSessionClock({ wall: clocks.wall, monotonic: clocks.monotonic });
  const signIn = createSignIn({
    store,
    secret,
    clock: sessionClock,
    onFault: (error) => log.warn({ err: error }, 'the last use of a session could not be saved'),
  });
  const devices = createKnownDevices({
    secret,
    clock: sessionClock.now,
    passwordHashOf: signIn.passwordHashOf,
  });
  return { signIn, devices, sessionClock, networkOf: clientNetwork, services };
}

/** The key that failed sign-ins are counted by: an IPv6 address counts as its /64. */
function clientNetwork(ip: string): string {
  const address = parseIp(ip);
  return address === undefined ? ip : networkOf(address);
}
