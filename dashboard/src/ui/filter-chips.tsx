/** Shows the active filters of a list; each chip removes its filter. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './filter-chips.module.css';
import { IconX } from './icons.ts';

export interface FilterChip {
  readonly id: string;
  readonly name: string;
  readonly value: ReactNode;
}

export interface FilterChipsProps {
  readonly chips: readonly FilterChip[];
  onRemove(id: string): void;
  onClear(): void;
}

export function FilterChips({ chips, onRemove, onClear }: FilterChipsProps) {
  if (chips.length === 0) return null;
  return (
    <ul className={styles.chips} aria-label="Filters">
      {chips.map(({ id, name, value }) => (
        <li key={id} className={styles.chip}>
          <span className={styles.name}>{name}</span>
          <span className={styles.value}>{value}</span>
          <button type="button" onClick={() => onRemove(id)} aria-label={`Remove filter ${name}`}>
            <IconX size={13} aria-hidden />
          </button>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <Button variant="subtle" size="compact-xs" onClick={onClear}>
            Clear all
          </Button>
        </li>
      )}
    </ul>
  );
}
