/** Every route of the service, public API and all others, as the service registers them. The parts behind the routes are stubs without answers. */
import type { Route } from '../../src/http/core/request-handler.ts';
import { createRouter } from '../../src/http/core/router.ts';
import type { ServerOptions } from '../../src/http/server.ts';

export interface RegisteredRoute {
  readonly method: string;
  /** Pattern of the router. */
  readonly path: string;
  /** JSON Schema of its body, if it has one. */
  readonly body?: BodySchema;
}

export interface BodySchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, BodySchema>>;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
}

/** A stub for every part: registration calls parts, but only a request uses them. */
const anyPart: unknown = new Proxy(() => undefined, {
  get: (_, name) => (name === 'then' || typeof name === 'symbol' ? undefined : anyPart),
  apply: () => anyPart,
});

export async function registeredRoutes(): Promise<RegisteredRoute[]> {
  // The dashboard's pages are beside the build.
  const built = new URL('../../dist/http/server.js', import.meta.url);
  const { registerRoutes } = (await import(built.href)) as typeof import('../../src/http/server.ts');
  const router = createRouter<Route>();
  const options = new Proxy({ ...PLAIN } as unknown as ServerOptions, {
    get: (plain, name) => (name in plain ? plain[name as keyof ServerOptions] : anyPart),
  });
  registerRoutes(router, options, () => undefined);
  return router
    .routes()
    .map(({ method, path, route: { body } }) => ({ method, path, ...(body && { body }) }));
}

/** Values, not parts. */
const PLAIN = { metricsElsewhere: false, publicUrl: null, trustProxy: false };
