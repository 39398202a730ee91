/** Where an alert about signups can be ended: the card of the attack, which lies on the page of waves. */
import type { AlertRow } from '../../../src/contract/dashboard-alerts.ts';

/** `undefined`: the alert is not about signups, and has no card. */
export function alertCardPath({
  id,
  kind,
  subject,
  filter,
}: Pick<AlertRow, 'id' | 'kind' | 'subject' | 'filter'>): `campaigns/${string}` | undefined {
  if (kind === 'campaign') return `campaigns/${subject}`;
  return filter === null ? undefined : `campaigns/${id}`;
}
