/** A sighting of something unusual, for tests that need only some of its fields. */
import type { Alert, AlertSighting } from '../../src/model/alert.ts';

const AT = Date.UTC(2026, 4, 10, 10, 14, 0);
const MINUTE_MS = 60_000;

export function aSighting(accountId: string, fields: Partial<AlertSighting> = {}): AlertSighting {
  const { at = AT } = fields;
  return {
    accountId,
    kind: 'signups',
    subject: 'key_web',
    since: at - 4 * MINUTE_MS,
    at,
    count: 420,
    total: 0,
    usual: 4.125,
    shares: [{ feature: 'range', value: '45.12.96.0/22', share: 0.97, usual: 0 }],
    note: '',
    ...fields,
  };
}

/** The alert that a first sighting opens. */
export function asOpenAlert(id: string, { at, shares, ...sighting }: AlertSighting): Alert {
  return { ...sighting, id, openedAt: at, seenAt: at, closedAt: null, shares: shares ?? [] };
}
