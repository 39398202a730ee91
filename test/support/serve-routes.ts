/** Serves routes of src/http on a free port, by the same router, context and error answer as the service. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import pino, { type Logger } from 'pino';
import { createMakeId } from '../../src/contract/identifiers.ts';
import { Problem } from '../../src/contract/problem.ts';
import { createListener } from '../../src/http/core/listener.ts';
import { createToErrorResponse } from '../../src/http/core/problems.ts';
import {
  createRequestHandler,
  type Handle,
  type OnAnswer,
  type Route,
  type Routes,
} from '../../src/http/core/request-handler.ts';
import { createRouter, type Router } from '../../src/http/core/router.ts';
import { createClientOrigin, type TrustedProxies } from '../../src/http/core/trusted-proxies.ts';
import { createWebRoutes } from '../../src/http/core/web-routes.ts';

export interface ServeOptions {
  readonly trustProxy?: TrustedProxies;
  readonly handleMissing?: (router: Router<Route>) => Handle;
  readonly onAnswer?: OnAnswer;
  readonly stopping?: () => boolean;
  readonly log?: Logger;
}

export interface ServedRoutes {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

export async function serveRoutes(
  register: (routes: Routes) => void,
  options: ServeOptions = {},
): Promise<ServedRoutes> {
  const { trustProxy = false, handleMissing = () => refuse, onAnswer = () => {} } = options;
  const { stopping = () => false, log = pino({ level: 'silent' }) } = options;
  const router = createRouter<Route>();
  const web = createWebRoutes(router, () => false);
  register(web);
  const handleRequest = createRequestHandler({
    router,
    handleMissing: web.guard(handleMissing(router)),
    toErrorResponse: createToErrorResponse(log),
    onAnswer,
    origin: createClientOrigin(trustProxy),
    makeId: createMakeId(),
    clock: Date.now,
    stopping,
  });
  const server = createListener({ handleRequest, maxConnections: 100 });
  server.listen({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function refuse(): never {
  throw new Problem('not_found');
}
