/** Path of the card on which a person can end an attack that an alert is about. */
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
