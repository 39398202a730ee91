/** Words for taking back: providers, states of jobs, and what came of accounts. */
import type { TakeBackRow } from '../../../src/contract/dashboard-take-back.ts';
import type { ProviderKind } from '../../../src/model/account-provider.ts';
import type { AccountState } from '../../../src/model/take-back.ts';
import { grouped, pluralize } from '../ui/format.ts';

export const PROVIDERS: Readonly<Record<ProviderKind, string>> = {
  'better-auth': 'better-auth',
  kratos: 'Ory Kratos',
  supabase: 'Supabase',
  auth0: 'Auth0',
  keycloak: 'Keycloak',
};

export const ACCOUNT_WORDS: Readonly<Record<AccountState, string>> = {
  waiting: 'waiting',
  sent: 'asked to be held',
  held: 'held',
  already: 'held before by others',
  missing: 'without an account',
  failed: 'failed',
  releasing: 'asked to be released',
  released: 'released',
  changed: 'changed since, left alone',
};

/** Accounts of which something is left to do. */
function openOf({ phase, counts }: TakeBackRow): number {
  return phase === 'hold' ? counts.waiting + counts.sent : counts.held + counts.sent + counts.releasing;
}

export function doneOf(job: TakeBackRow): number {
  return job.total - openOf(job);
}

/** `Holding: 120 of 500`, `500 held`, `Cancelled: 120 of 500 held` */
export function stateOf(job: TakeBackRow): string {
  const { phase, state, counts, total, holds } = job;
  if (!holds) return `${pluralize(total, 'account')} listed`;
  const verb = phase === 'hold' ? 'Holding' : 'Releasing';
  if (state === 'running') return `${verb}: ${grouped(doneOf(job))} of ${grouped(total)}`;
  const done = phase === 'hold' ? counts.held + counts.sent : counts.released;
  const words = `${grouped(done)} of ${grouped(total)} ${phase === 'hold' ? 'held' : 'released'}`;
  if (state === 'cancelled') return `Cancelled: ${words}`;
  return state === 'refused' ? `Stopped: ${words}` : words;
}

/** Counts of the accounts, without states that none has: `480 held, 20 without an account`. */
export function countsOf({ counts }: TakeBackRow): string {
  return Object.entries(ACCOUNT_WORDS)
    .flatMap(([state, word]) => {
      const count = counts[state as AccountState];
      return count === 0 ? [] : [`${grouped(count)} ${word}`];
    })
    .join(', ');
}
