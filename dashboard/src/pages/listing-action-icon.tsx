/** The icon of a list action: the same shape and colour as its verdict's. */
import type { ListEntryRow } from '../../../src/contract/dashboard-account.ts';
import { VERDICTS } from '../ui/verdicts.ts';

export function ListActionIcon({ action, size = 16 }: { action: ListEntryRow['action']; size?: number }) {
  const { icon: Icon, ink } = VERDICTS[action === 'allow' ? 'allow' : 'block'];
  return <Icon size={size} color={ink} aria-hidden />;
}
