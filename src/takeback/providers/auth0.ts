/** Holds users of Auth0: blocked. */
import { ProviderRefused } from '../provider.ts';
import type { AccountApi, AccountApiOptions, Written } from './account-api.ts';
import { baseOf, createAdminCall, expectApi, isFound, segmentOf } from './admin-call.ts';
import { bearer, createClientToken } from './client-token.ts';
import { JSON_TYPE, jsonOf } from './provider-call.ts';

interface Auth0User {
  readonly blocked: unknown;
}

const SCOPES = ['read:users', 'update:users'];
const RIGHTS = 'authorize the application for the Auth0 Management API with read:users and update:users';

export function createAuth0Api({ call, clock, ...settings }: AccountApiOptions): AccountApi<Auth0User> {
  const { clientId, secret } = settings;
  const tenant = baseOf(settings.url, '/api/v2');
  const base = `${tenant}/api/v2/users`;
  const token =
    clientId === null
      ? undefined
      : createClientToken({
          call,
          clock,
          request: tokenRequest(tenant, clientId, secret),
          refused: `Auth0 gave no token: check client id and secret of the machine-to-machine application, and ${RIGHTS}`,
        });
  const send = createAdminCall({
    call,
    credentials: token ?? bearer(secret),
    unauthorized:
      clientId === null
        ? 'Auth0 did not accept the token, which may have expired: enter client id and secret of a machine-to-machine application instead'
        : 'Auth0 did not accept the token that it gave: enter the domain of the tenant (….auth0.com), not a custom domain',
    forbidden: `Auth0 forbids it: ${RIGHTS}`,
  });

  async function setBlocked(userId: string, blocked: boolean, signal: AbortSignal): Promise<Written> {
    const url = `${base}/${segmentOf(userId)}`;
    const body = JSON.stringify({ blocked });
    const answer = await send({ method: 'PATCH', url, headers: JSON_TYPE, body }, signal);
    return isFound(answer) ? 'written' : 'missing';
  }

  return {
    async read(userId, signal) {
      const segment = segmentOf(userId);
      if (segment === undefined) return undefined;
      const url = `${base}/${segment}?fields=user_id%2Cblocked&include_fields=true`;
      const answer = await send({ method: 'GET', url }, signal);
      return isFound(answer) ? { blocked: jsonOf(answer).blocked } : undefined;
    },
    isHeld: ({ blocked }) => blocked === true,
    // Auth0 does not say who blocked a user, and when.
    isOurs: () => true,
    toBefore: () => ({ blocked: false }),
    hold: (userId, _account, signal) => setBlocked(userId, true, signal),
    release: (userId, _account, signal) => setBlocked(userId, false, signal),
    async check(signal) {
      const scopes = (await token?.scope(signal))?.split(' ');
      if (scopes !== undefined && !SCOPES.every((scope) => scopes.includes(scope)))
        throw new ProviderRefused(`the application lacks a right at Auth0: ${RIGHTS}`);
      const url = `${base}?per_page=1&fields=user_id&include_fields=true`;
      expectApi(await send({ method: 'GET', url }, signal));
    },
  };
}

function tokenRequest(tenant: string, clientId: string, secret: string) {
  const body = {
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: secret,
    audience: `${tenant}/api/v2/`,
  };
  return {
    method: 'POST',
    url: `${tenant}/oauth/token`,
    headers: JSON_TYPE,
    body: JSON.stringify(body),
  } as const;
}
