/** The button of the filter form, whose code is loaded when somebody is about to open it. */
import { Button } from '@mantine/core';
import { lazy, useState } from 'react';
import type { AssessmentRow } from '../../../src/contract/dashboard-assessments.ts';
import { IconFilter } from '../ui/icons.ts';
import { closedParts, useWanted } from '../ui/menu-button.tsx';
import type { UsedFilter } from './assessments-filter.ts';

const load = () => import('./assessments-filter-popover.tsx');
const FilterPopover = lazy(async () => ({ default: (await load()).FilterPopover }));

export function FilterButton({ used, rows }: { used: UsedFilter; rows: readonly AssessmentRow[] }) {
  const [wanted, want] = useWanted();
  const [open, setOpen] = useState(false);
  const button = (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconFilter size={14} />}
      {...closedParts(want, load)}
      aria-haspopup="dialog"
      aria-expanded={open}
      onClick={() => {
        want();
        setOpen(!open);
      }}
    >
      Filter
    </Button>
  );
  if (!wanted) return button;
  return (
    <FilterPopover used={used} rows={rows} open={open} onOpen={setOpen}>
      {button}
    </FilterPopover>
  );
}
