/** The icon of a list action: the same shape and colour as its verdict's; an office is a building. */
import type { ListEntryRow } from '../../../src/contract/dashboard-account.ts';
import { IconBuilding } from '../ui/icons.ts';
import { VERDICTS } from '../ui/verdicts.ts';

export function ListActionIcon({ action, size = 16 }: { action: ListEntryRow['action']; size?: number }) {
  if (action === 'office') return <IconBuilding size={size} aria-hidden />;
  const { icon: Icon, ink } = VERDICTS[action === 'allow' ? 'allow' : 'block'];
  return <Icon size={size} color={ink} aria-hidden />;
}
