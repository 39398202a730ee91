/** A row of a table: its link, its box, and what a click on it does. It is drawn again only when something of it has changed. */
import { type MouseEvent, memo, type ReactNode } from 'react';
import styles from './data-table.module.css';
import type { Column } from './data-table.tsx';
import { IconCheck, IconMinus } from './icons.ts';

export interface TableRowProps<Row> {
  readonly row: Row;
  readonly place: number;
  readonly columns: readonly Column<Row>[];
  readonly to: string | undefined;
  /** Its details are open. */
  readonly isOpen: boolean;
  /** Name of its box; `undefined`: it has none. */
  readonly choice: string | undefined;
  readonly isChosen: boolean;
  readonly toggle: (index: number, extend: boolean) => void;
  readonly navigate: (to: string) => void;
}

export const Row = memo(TableRow) as typeof TableRow;

function TableRow<Row>(props: TableRowProps<Row>) {
  const { row, place, columns, to, isOpen, choice, isChosen, toggle, navigate } = props;
  const open = (event: MouseEvent) => {
    const inside = (event.target as HTMLElement).closest('a, button, input, select, label');
    if (to === undefined || inside !== null || window.getSelection()?.type === 'Range') return;
    if (event.metaKey || event.ctrlKey) window.open(to, '_blank', 'noopener');
    else navigate(to);
  };
  return (
    <tr
      onClick={open}
      data-row={place}
      aria-rowindex={place + 2}
      data-opens={to !== undefined || undefined}
      data-selected={isOpen || undefined}
      data-chosen={isChosen || undefined}
    >
      {choice !== undefined && (
        <td className={styles.choice}>
          {/* Out of the tab order: the key x does the same, and rows stay one stop each. */}
          <Box
            label={choice}
            share={isChosen ? 'all' : 'none'}
            tabIndex={-1}
            onToggle={(event) => toggle(place, event.shiftKey)}
          />
        </td>
      )}
      {columns.map((column, index) => (
        <td key={column.id} {...styleCell(column)}>
          {index === 0 && to !== undefined ? (
            <RowLink to={to} navigate={navigate}>
              {column.cell(row)}
            </RowLink>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
    </tr>
  );
}

/** A link that does not listen to the address, as each of the router does: a table has many. */
function RowLink({
  to,
  navigate,
  children,
}: Pick<TableRowProps<never>, 'navigate'> & { to: string; children: ReactNode }) {
  return (
    <a
      href={to}
      className={styles.rowLink}
      data-row-link
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return;
        event.preventDefault();
        navigate(to);
      }}
    >
      {children}
    </a>
  );
}

interface BoxProps {
  readonly label: string;
  readonly share: 'none' | 'some' | 'all';
  readonly tabIndex?: number;
  readonly disabled?: boolean;
  onToggle(event: MouseEvent): void;
}

/** A button, because keys pressed in a field belong to the field. */
export function Box({ label, share, tabIndex, disabled, onToggle }: BoxProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a key pressed in a field is not a shortcut
    <button
      type="button"
      role="checkbox"
      aria-checked={share === 'some' ? 'mixed' : share === 'all'}
      aria-label={label}
      title={label}
      tabIndex={tabIndex}
      disabled={disabled}
      className={styles.box}
      onClick={onToggle}
    >
      <span aria-hidden>
        {share === 'all' && <IconCheck size={12} stroke={3} />}
        {share === 'some' && <IconMinus size={12} stroke={3} />}
      </span>
    </button>
  );
}

/** Attributes of a cell of the column. */
export function styleCell<Row>({ align, from, width, wrap }: Column<Row>) {
  return {
    'data-align': align,
    'data-from': from,
    'data-wrap': wrap,
    style: width === undefined ? undefined : { width },
  };
}
