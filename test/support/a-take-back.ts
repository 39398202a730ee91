/** Connections to providers, and jobs that hold accounts there, for tests that need only some of their fields. */
import { createMakeId } from '../../src/contract/identifiers.ts';
import type { ProviderConnection, TakeBackJob } from '../../src/model/take-back.ts';
import type { NewTakeBackAccount } from '../../src/store/take-back-store.ts';

const AT = Date.UTC(2026, 4, 10, 10, 14, 33);

const makeId = createMakeId();

export function aConnection(accountId: string, fields: Partial<ProviderConnection> = {}): ProviderConnection {
  return {
    id: makeId('con', AT),
    accountId,
    kind: 'kratos',
    name: 'shop',
    url: 'https://kratos.example.com/admin',
    clientId: null,
    realm: null,
    secret: 'encrypted',
    perSecond: 10,
    isSessionUser: false,
    createdAt: AT,
    ...fields,
  };
}

/** A job that runs, as it is when it begins. */
export function aTakeBackJob(accountId: string, fields: Partial<TakeBackJob> = {}): TakeBackJob {
  const { state = 'running', createdAt = AT } = fields;
  return {
    id: makeId('tbk', AT),
    accountId,
    connectionId: makeId('con', AT),
    name: 'Wave at postfarm.example',
    attack: null,
    by: 'jo@example.com',
    phase: 'hold',
    problem: null,
    nextAt: 0,
    run: 0,
    ...fields,
    state,
    createdAt,
    endedAt: state === 'running' ? null : createdAt,
  };
}

/** Accounts with ids, in order of their request ids. */
export function accountsToHold(count: number, at: number): NewTakeBackAccount[] {
  return Array.from({ length: count }, (_, index) => {
    const sessionId = index % 2 === 0 ? `visit-${index}` : null;
    return { requestId: makeId('req', at), sessionId, at, userId: `user-${index}`, state: 'waiting' };
  });
}
