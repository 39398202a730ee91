/** The star of the filter bar: full while the filter is a saved one. The list below it is loaded at first use. */
import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { SavedFilterRow } from '../../../src/contract/dashboard-saved-filters.ts';
import { useGet } from '../api.ts';
import { useScope } from '../scope.ts';
import { IconStar } from '../ui/icons.ts';
import { closedParts, useWanted } from '../ui/menu-button.tsx';
import { filterQuery, type UsedFilter } from './assessments-filter.ts';

const load = () => import('./assessments-saved-filters-popover.tsx');
const SavedFilters = lazy(async () => ({ default: (await load()).SavedFiltersPopover }));

export function SavedFiltersButton({ used }: { used: UsedFilter }) {
  const { api } = useScope();
  const [wanted, want] = useWanted();
  const [open, setOpen] = useState(false);
  const saved = useGet<readonly SavedFilterRow[]>(api('filters')).data;
  const query = filterQuery(used.chosen);
  const current = saved?.find((filter) => filter.query === query);
  const button = (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconStar size={14} fill={current === undefined ? 'none' : 'currentColor'} />}
      {...closedParts(want, load)}
      aria-haspopup="dialog"
      aria-expanded={open}
      aria-label={current === undefined ? 'Saved filters' : `Saved filters: ${current.name}`}
      onClick={() => {
        want();
        setOpen(!open);
      }}
    >
      Saved
    </Button>
  );
  if (!wanted) return button;
  return (
    <Suspense fallback={button}>
      <SavedFilters used={used} saved={saved} current={current} open={open} onOpen={setOpen}>
        {button}
      </SavedFilters>
    </Suspense>
  );
}
