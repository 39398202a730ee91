/** Holds users of Supabase Auth: banned for a hundred years. */
import type { AccountApi, AccountApiOptions, Written } from './account-api.ts';
import { baseOf, createAdminCall, expectApi, isFound, uuidSegmentOf } from './admin-call.ts';
import { isHeldAt } from './held-at.ts';
import { JSON_TYPE, jsonOf } from './provider-call.ts';

interface SupabaseUser {
  readonly bannedUntil: unknown;
}

const BAN_HOURS = 876_000;
const BAN_MS = BAN_HOURS * 3_600_000;

export function createSupabaseApi({ call, clock, ...settings }: AccountApiOptions): AccountApi<SupabaseUser> {
  const { secret } = settings;
  const base = `${baseOf(settings.url, '/auth/v1')}/auth/v1/admin/users`;
  const send = createAdminCall({
    call,
    credentials: { headers: async () => ({ apikey: secret, authorization: `Bearer ${secret}` }) },
    unauthorized:
      'Supabase did not accept the key: enter a secret key (sb_secret_…) or the service_role key of the project',
    forbidden:
      'Supabase forbids it with this key: enter a secret key (sb_secret_…) or the service_role key, not the anon key',
  });

  async function ban(userId: string, duration: string, signal: AbortSignal): Promise<Written> {
    const body = JSON.stringify({ ban_duration: duration });
    const url = `${base}/${uuidSegmentOf(userId)}`;
    const answer = await send({ method: 'PUT', url, headers: JSON_TYPE, body }, signal);
    return isFound(answer) ? 'written' : 'missing';
  }

  return {
    async read(userId, signal) {
      const segment = uuidSegmentOf(userId);
      if (segment === undefined) return undefined;
      const answer = await send({ method: 'GET', url: `${base}/${segment}` }, signal);
      return isFound(answer) ? { bannedUntil: jsonOf(answer).banned_until } : undefined;
    },
    isHeld: ({ bannedUntil }) => typeof bannedUntil === 'string' && Date.parse(bannedUntil) > clock(),
    isOurs: ({ bannedUntil }, before) => isHeldAt(bannedUntil, before, BAN_MS),
    toBefore: () => ({ ban_duration: 'none', held_at: clock() }),
    hold: (userId, _account, signal) => ban(userId, `${BAN_HOURS}h`, signal),
    release: (userId, _account, signal) => ban(userId, 'none', signal),
    async check(signal) {
      expectApi(await send({ method: 'GET', url: `${base}?page=1&per_page=1` }, signal));
    },
  };
}
