/** Makes a value in a table a filter of the log, with a button that appears when the pointer is on the value. */

import type { ReactNode } from 'react';
import { IconFilter } from '../ui/icons.ts';
import styles from './assessments-page.module.css';

export interface FilterableProps {
  /** The filter, for the button's name: `domain example.com`. */
  readonly by: string;
  readonly children: ReactNode;
  onFilter(): void;
}

export function Filterable({ by, children, onFilter }: FilterableProps) {
  return (
    <span className={styles.filterable}>
      <span className={styles.filterValue}>{children}</span>
      {/* Out of the tab order: the filter form does the same, and rows stay one stop each. */}
      <button
        type="button"
        tabIndex={-1}
        className={styles.filterButton}
        title={`Filter by ${by}`}
        aria-label={`Filter by ${by}`}
        onClick={onFilter}
      >
        <IconFilter size={13} aria-hidden />
      </button>
    </span>
  );
}
