/** An account to store, for tests that need only some of its fields. */
import type { Account } from '../../src/store/store.ts';

/** On the plan `pro`, with its limits, in UTC. */
export function anAccount(fields: Partial<Account> & Pick<Account, 'id'>): Account {
  return {
    name: 'shop',
    plan: 'pro',
    overage: false,
    monthlyQuota: null,
    requestsPerSecond: null,
    timeZone: 'UTC',
    thresholds: null,
    createdAt: 0,
    ...fields,
  };
}
