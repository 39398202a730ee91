/** Holds identities of Ory Kratos and Ory Network: inactive, without sessions. */
import type { AccountApi, AccountApiOptions, Written } from './account-api.ts';
import { baseOf, createAdminCall, expectApi, isFound, uuidSegmentOf } from './admin-call.ts';
import { bearer } from './client-token.ts';
import { isHeldAt } from './held-at.ts';
import { JSON_TYPE, jsonOf } from './provider-call.ts';

interface Identity {
  readonly state: unknown;
  readonly changedAt: unknown;
}

export function createKratosApi({ call, clock, ...settings }: AccountApiOptions): AccountApi<Identity> {
  const base = `${baseOf(settings.url, '/admin')}/admin/identities`;
  const send = createAdminCall({
    call,
    credentials: bearer(settings.secret),
    unauthorized:
      'Ory did not accept the token: make an API key of the project (Ory Network), or use that of the proxy before the admin API',
    forbidden: 'Ory forbids it with this token: it needs the whole admin API of identities',
  });

  async function setState(userId: string, state: string, signal: AbortSignal): Promise<Written> {
    const body = JSON.stringify([{ op: 'replace', path: '/state', value: state }]);
    const url = `${base}/${uuidSegmentOf(userId)}`;
    const answer = await send({ method: 'PATCH', url, headers: JSON_TYPE, body }, signal);
    return isFound(answer) ? 'written' : 'missing';
  }

  return {
    async read(userId, signal) {
      const segment = uuidSegmentOf(userId);
      if (segment === undefined) return undefined;
      const answer = await send({ method: 'GET', url: `${base}/${segment}` }, signal);
      if (!isFound(answer)) return undefined;
      const { state, state_changed_at: changedAt } = jsonOf(answer);
      return { state, changedAt };
    },
    isHeld: ({ state }) => state === 'inactive',
    isOurs: ({ changedAt }, before) => isHeldAt(changedAt, before),
    toBefore: () => ({ state: 'active', held_at: clock() }),
    async hold(userId, _account, signal) {
      const written = await setState(userId, 'inactive', signal);
      if (written !== 'written') return written;
      // 404 where there is no session.
      const url = `${base}/${uuidSegmentOf(userId)}/sessions`;
      isFound(await send({ method: 'DELETE', url }, signal));
      return written;
    },
    release: (userId, _account, signal) => setState(userId, 'active', signal),
    async check(signal) {
      expectApi(await send({ method: 'GET', url: `${base}?page_size=1` }, signal));
    },
  };
}
