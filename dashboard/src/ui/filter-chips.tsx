/** Shows the active filters of a list; each chip removes its filter. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { DomainText } from './domain-text.tsx';
import styles from './filter-chips.module.css';
import { IconX } from './icons.ts';

export interface FilterChip {
  readonly id: string;
  readonly name: string;
  readonly value: ReactNode;
  onRemove(): void;
  /** Turns the filter into its opposite. */
  readonly toggle?: { readonly label: string; onToggle(): void };
}

export interface FilterChipsProps {
  readonly chips: readonly FilterChip[];
  onClear(): void;
}

export function FilterChips({ chips, onClear }: FilterChipsProps) {
  if (chips.length === 0) return null;
  return (
    <ul className={styles.chips} aria-label="Filters">
      {chips.map(({ id, name, value, onRemove, toggle }) => (
        <li key={id} className={styles.chip}>
          {toggle === undefined ? (
            <span className={styles.name}>{name}</span>
          ) : (
            <button
              type="button"
              className={styles.toggle}
              title={toggle.label}
              aria-label={`${name} ${value}: ${toggle.label.toLowerCase()}`}
              onClick={toggle.onToggle}
            >
              {name}
            </button>
          )}
          <span className={styles.value}>
            {typeof value === 'string' ? <DomainText text={value} /> : value}
          </span>
          <button type="button" onClick={onRemove} aria-label={`Remove filter ${name}`}>
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
