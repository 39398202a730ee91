/** The button of the filter form, whose code is loaded at first use. */
import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { AssessmentRow } from '../../../src/contract/dashboard-assessments.ts';
import { IconFilter } from '../ui/icons.ts';
import type { UsedFilter } from './assessments-filter.ts';

const FilterPopover = lazy(async () => ({
  default: (await import('./assessments-filter-popover.tsx')).FilterPopover,
}));

export function FilterButton({ used, rows }: { used: UsedFilter; rows: readonly AssessmentRow[] }) {
  const [wanted, setWanted] = useState(false);
  const [open, setOpen] = useState(false);
  const button = (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconFilter size={14} />}
      onClick={() => {
        setWanted(true);
        setOpen(!open);
      }}
      aria-expanded={open}
    >
      Filter
    </Button>
  );
  if (!wanted) return button;
  return (
    <Suspense fallback={button}>
      <FilterPopover used={used} rows={rows} open={open} onOpen={setOpen}>
        {button}
      </FilterPopover>
    </Suspense>
  );
}
