/** A usual domain as it is learned, for tests that need only some of its fields. */
import type { UsualDomain } from '../../src/model/usual-domain.ts';

const NOW = Date.UTC(2026, 4, 10, 10, 0, 0);
const DAY_MS = 86_400_000;

export function aUsualDomain(
  accountId: string,
  domain: string,
  fields: Partial<UsualDomain> = {},
): UsualDomain {
  return {
    accountId,
    domain,
    people: 218,
    networks: 60,
    since: NOW - 60 * DAY_MS,
    lastAt: NOW,
    ...fields,
  };
}
