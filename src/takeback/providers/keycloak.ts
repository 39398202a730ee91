/** Holds users of Keycloak: not enabled, logged out. */
import type { AccountApi, AccountApiOptions, Written } from './account-api.ts';
import { baseOf, createAdminCall, expectApi, isFound, segmentOf } from './admin-call.ts';
import { bearer, createClientToken } from './client-token.ts';
import { JSON_TYPE, jsonOf } from './provider-call.ts';

/** A user as Keycloak sends it: an update replaces all of it, so it is sent back whole. */
type KeycloakUser = Readonly<Record<string, unknown>>;

const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };
const DEFAULT_REALM = 'master';
const RIGHTS =
  'give the service account of the client the roles view-users and manage-users of realm-management';

export function createKeycloakApi({ call, clock, ...settings }: AccountApiOptions): AccountApi<KeycloakUser> {
  const { clientId, secret } = settings;
  const realm = encodeURIComponent(settings.realm ?? DEFAULT_REALM);
  const root = baseOf(settings.url, '/admin');
  const base = `${root}/admin/realms/${realm}/users`;
  const send = createAdminCall({
    call,
    credentials:
      clientId === null
        ? bearer(secret)
        : createClientToken({
            call,
            clock,
            request: {
              method: 'POST',
              url: `${root}/realms/${realm}/protocol/openid-connect/token`,
              headers: FORM_TYPE,
              body: new URLSearchParams({
                grant_type: 'client_credentials',
                client_id: clientId,
                client_secret: secret,
              }).toString(),
            },
            refused:
              'Keycloak gave no token: check URL, realm, client id and client secret, and turn on "Service accounts roles" of the client',
          }),
    unauthorized: `Keycloak did not accept the token: enter client id and secret of a client of this realm, and ${RIGHTS}`,
    forbidden: `Keycloak forbids it: ${RIGHTS}`,
  });

  async function setEnabled(
    userId: string,
    user: KeycloakUser,
    enabled: boolean,
    signal: AbortSignal,
  ): Promise<Written> {
    const body = JSON.stringify({ ...user, enabled });
    const url = `${base}/${segmentOf(userId)}`;
    const answer = await send({ method: 'PUT', url, headers: JSON_TYPE, body }, signal);
    return isFound(answer) ? 'written' : 'missing';
  }

  return {
    async read(userId, signal) {
      const segment = segmentOf(userId);
      if (segment === undefined) return undefined;
      const answer = await send({ method: 'GET', url: `${base}/${segment}` }, signal);
      return isFound(answer) ? jsonOf(answer) : undefined;
    },
    isHeld: ({ enabled }) => enabled === false,
    // Keycloak does not say who disabled a user, and when.
    isOurs: () => true,
    toBefore: () => ({ enabled: true }),
    async hold(userId, { state }, signal) {
      const written = await setEnabled(userId, state, false, signal);
      if (written !== 'written') return written;
      const url = `${base}/${segmentOf(userId)}/logout`;
      isFound(await send({ method: 'POST', url }, signal));
      return written;
    },
    release: (userId, { state }, signal) => setEnabled(userId, state, true, signal),
    async check(signal) {
      expectApi(await send({ method: 'GET', url: `${base}?max=1&briefRepresentation=true` }, signal));
    },
  };
}
