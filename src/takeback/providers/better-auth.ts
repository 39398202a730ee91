/** Holds users of better-auth by the endpoint of our plugin, with signed messages. */
import { randomUUID } from 'node:crypto';
import { signWebhook } from '../../events/signature.ts';
import type { AccountBefore } from '../../model/account-provider.ts';
import { ProviderRefused } from '../provider.ts';
import type { AccountApi, AccountApiOptions, Written } from './account-api.ts';
import { createAdminCall } from './admin-call.ts';
import { isSuccess, JSON_TYPE, jsonOf, NOT_FOUND, statusError } from './provider-call.ts';

type Action = 'state' | 'hold' | 'release' | 'check';

interface BetterAuthUser {
  readonly isHeld: boolean;
  /** Id of the hold, where it is one of ours. */
  readonly holdId: string | null;
  readonly before: AccountBefore;
}

const SECRET = /^whsec_[\w+/=-]{32,}$/;

export function createBetterAuthApi({
  call,
  clock,
  ...settings
}: AccountApiOptions): AccountApi<BetterAuthUser> {
  const { secret } = settings;
  const base = `${settings.url.replace(/\/+$/, '')}/gatehouse/accounts`;
  const send = createAdminCall({
    call,
    credentials: { headers: async () => ({}) },
    unauthorized:
      'the application did not accept the signature: set the same secret here and in accounts.secret of the plugin, and check the clock of both machines',
    forbidden: 'the application forbids it: set accounts.secret of the plugin gatehouse',
  });

  /** @throws {ProviderRefused} for a secret of another form, and where the plugin is not there */
  async function post(action: Action, members: object, signal: AbortSignal) {
    if (!SECRET.test(secret))
      throw new ProviderRefused(
        'the secret must begin with whsec_ and have 24 random bytes or more in base64',
      );
    const body = JSON.stringify({ ...members, action });
    const headers = {
      ...JSON_TYPE,
      ...signWebhook([secret], { id: `acc_${randomUUID()}`, at: clock(), body }),
    };
    const answer = await send({ method: 'POST', url: `${base}/${action}`, headers, body }, signal);
    if (answer.status === NOT_FOUND)
      throw new ProviderRefused(
        'the application has no such endpoint: enter the URL of better-auth with its base path (…/api/auth), and set accounts.secret of the plugin gatehouse',
      );
    if (!isSuccess(answer)) throw statusError(answer);
    return jsonOf(answer);
  }

  return {
    async read(userId, signal) {
      const { outcome, before, hold_id: holdId } = await post('state', { user_id: userId }, signal);
      if (outcome === 'missing') return undefined;
      if (outcome !== 'active' && outcome !== 'held')
        throw new Error('the application answered in another form than the plugin gatehouse');
      return {
        isHeld: outcome === 'held',
        holdId: typeof holdId === 'string' ? holdId : null,
        before: readBefore(before),
      };
    },
    isHeld: ({ isHeld }) => isHeld,
    isOurs: ({ holdId }, before) => holdId !== null && holdId === before.hold_id,
    toBefore: ({ before }) => ({ ...before, hold_id: randomUUID() }),
    async hold(userId, { before }, signal) {
      const { hold_id: holdId } = before;
      return toWritten(await post('hold', { user_id: userId, hold_id: holdId }, signal), 'held');
    },
    async release(userId, { before: { hold_id: holdId, ...before } }, signal) {
      return toWritten(
        await post('release', { user_id: userId, hold_id: holdId, before }, signal),
        'released',
      );
    },
    async check(signal) {
      await post('check', {}, signal);
    },
  };
}

function toWritten({ outcome }: Readonly<Record<string, unknown>>, done: string): Written {
  return outcome === done ? 'written' : outcome === 'missing' ? 'missing' : 'other';
}

/** Members of a kind that can be stored. */
function readBefore(value: unknown): AccountBefore {
  if (typeof value !== 'object' || value === null) return {};
  const members = Object.entries(value).filter(
    ([, member]) => member === null || ['string', 'number', 'boolean'].includes(typeof member),
  );
  return Object.fromEntries(members) as AccountBefore;
}
