/** The filter form below its button. */
import { Popover } from '@mantine/core';
import type { ReactElement } from 'react';
import type { AssessmentRow } from '../../../src/contract/dashboard-assessments.ts';
import type { UsedFilter } from './assessments-filter.ts';
import { FilterForm } from './assessments-filter-form.tsx';
import styles from './assessments-page.module.css';

export function FilterPopover({
  used,
  rows,
  open,
  onOpen,
  children,
}: {
  used: UsedFilter;
  rows: readonly AssessmentRow[];
  open: boolean;
  onOpen: (open: boolean) => void;
  children: ReactElement;
}) {
  const { chosen, set } = used;
  return (
    <Popover opened={open} onChange={onOpen} position="bottom-start" width={440} trapFocus shadow="md">
      <Popover.Target>{children}</Popover.Target>
      <Popover.Dropdown className={styles.formDropdown} aria-label="Filter the signups">
        <FilterForm
          chosen={chosen}
          rows={rows}
          onApply={(changes) => {
            onOpen(false);
            set(changes);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}
