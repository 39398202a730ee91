/** Names for the chips of list entries and waves: a filter has only their ids. */
import type { ListEntryRow } from '../../../src/contract/dashboard-account.ts';
import type { CampaignPageAnswer } from '../../../src/contract/dashboard-campaigns.ts';
import { useGet, withQuery } from '../api.ts';
import { useScope } from '../scope.ts';
import type { NameOf } from './assessments-chips.ts';
import type { FilterChanges } from './assessments-filter.ts';

/** Max. waves that are read: an older one is shown by its id. */
const MAX_WAVES = '200';

export function useFilterNames({ list_entry, campaign }: Readonly<FilterChanges>): NameOf {
  const { api } = useScope();
  const entries = useGet<readonly ListEntryRow[]>(list_entry === undefined ? null : api('lists')).data;
  const waves = useGet<CampaignPageAnswer>(
    campaign === undefined ? null : withQuery(api('campaigns'), { limit: MAX_WAVES }),
  ).data?.data;
  return (name, id) => {
    if (name === 'list_entry') return entries?.find((entry) => entry.id === id)?.value;
    // A summary without its odds.
    return waves?.find((row) => row.id === id)?.summary.split('; ')[0];
  };
}
