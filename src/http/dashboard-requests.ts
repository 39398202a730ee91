/** GET …/requests: customers whom somebody asks to let in, and whether somebody did. */
import { type FoundRequest, findRequests, type RequestStore } from '../accounts/customer-requests.ts';
import type { CustomerRequest, CustomerRequests } from '../contract/dashboard-customer.ts';
import { instantOrNull, toInstant } from './dashboard-history.ts';
import type { DashboardRoutes } from './dashboard-route.ts';
import { labelFact } from './state-facts.ts';
import { versionOf } from './state-version.ts';

export interface RequestsRouteOptions {
  readonly store: RequestStore;
}

export function requestsRoute(routes: DashboardRoutes, { store }: RequestsRouteOptions): void {
  routes.forAccount({
    method: 'GET',
    path: '/accounts/:account/requests',
    minRole: 'member',
    async handle({ account, now }): Promise<CustomerRequests> {
      const requests = await readRequests(store, account.id, now);
      return { requests: requests.sort((a, b) => Number(a.done !== null) - Number(b.done !== null)) };
    },
  });
}

/** Requests of the last 30 days, newest first. */
export async function readRequests(
  store: RequestStore,
  accountId: string,
  now: number,
): Promise<CustomerRequest[]> {
  return (await findRequests(store, accountId, now)).map(toRequest);
}

function toRequest({ report: { row, mark }, done }: FoundRequest): CustomerRequest {
  return {
    request_id: row.requestId,
    at: toInstant(row.at),
    email: row.email,
    verdict: row.shadow ? 'allow' : row.verdict,
    label: mark.outcome,
    asked_by: mark.by,
    asked_at: toInstant(mark.at),
    done:
      done === undefined
        ? null
        : { by: done.author, at: toInstant(done.createdAt), until: instantOrNull(done.expiresAt) },
    version: versionOf([labelFact(row.requestId, row.feedback)]),
  };
}
