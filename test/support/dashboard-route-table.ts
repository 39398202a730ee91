/** Every route of the dashboard, as the service registers it, without the parts that would answer. */
import { type DashboardRoutesOptions, dashboardRoutes } from '../../src/http/dashboard.ts';

export interface TableRoute {
  readonly method: string;
  /** Pattern of the router. */
  readonly path: string;
}

/** Whatever is asked of it: registering routes calls parts, but only a request uses them. */
const anything: unknown = new Proxy(() => {}, {
  get: (_target, name) => (name === Symbol.toPrimitive ? () => '' : anything),
  apply: () => anything,
});

export function dashboardRouteTable(): TableRoute[] {
  const found: TableRoute[] = [];
  dashboardRoutes(
    { add: (method, path) => found.push({ method, path }) },
    anything as DashboardRoutesOptions,
  );
  return found;
}
