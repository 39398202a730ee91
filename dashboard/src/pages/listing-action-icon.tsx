/** The sign of an action of the lists: the same as its verdict's, in shape and colour. */
import type { ListEntryRow } from '../../../src/contract/dashboard-account.ts';
import { VERDICTS } from '../ui/verdicts.ts';

export function ListActionIcon({ action, size = 16 }: { action: ListEntryRow['action']; size?: number }) {
  const { icon: Icon, ink } = VERDICTS[action === 'allow' ? 'allow' : 'block'];
  return <Icon size={size} color={ink} aria-hidden />;
}
