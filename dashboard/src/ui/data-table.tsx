/** A table of 40-pixel rows: sticky header, columns by width, j/k/Enter, and its loading, empty and failed states. */
import { Skeleton } from '@mantine/core';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import styles from './data-table.module.css';
import { Box, Row, styleCell } from './data-table-row.tsx';
import { ErrorState } from './error-state.tsx';
import { isTyping } from './is-typing.ts';
import { type RowSelection, useSelection } from './row-selection.ts';
import { useNavigate } from './use-navigate.ts';
import { useRowWindow } from './use-row-window.ts';

export interface Column<Row> {
  readonly id: string;
  readonly head: ReactNode;
  cell(row: Row): ReactNode;
  readonly align?: 'right';
  /** Pixels, a percentage, or a length without one: browsers ignore `clamp(…%…)`. */
  readonly width?: number | string;
  /** Shown from this width of the window on: 640, 960, 1280 and 1500 px. */
  readonly from?: 'sm' | 'md' | 'lg' | 'xl';
  /** Wraps instead of being cut: below 640 px, or at every width. */
  readonly wrap?: true | 'always';
}

export interface DataTableProps<Row> {
  /** Names the table for assistive technology. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** `undefined` while they load: the table shows `skeletons` placeholder rows. */
  readonly rows: readonly Row[] | undefined;
  rowKey(row: Row): string;
  readonly error?: Error | null;
  onRetry?(): void;
  readonly empty?: ReactNode;
  /** The link of a row: a click anywhere on it or Enter opens it. */
  href?(row: Row): string;
  /** Key of the row whose details are open. */
  readonly selected?: string | undefined;
  readonly skeletons?: number;
  /** Set it if several tables share a page and this one should not use j and k. */
  readonly quiet?: boolean;
  /** Set it for a table that may become very long: only the rows near the window are in the page. */
  readonly windowed?: boolean;
  /** Set it for a table whose rows can be chosen: it has a column of boxes, and their keys. */
  readonly selection?: RowSelection<Row>;
}

/** Props that a page hands on to a table that has its own columns. */
export type FetchedRows<Row> = Pick<DataTableProps<Row>, 'rows' | 'error' | 'onRetry' | 'empty'>;

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, error, skeletons = 8, selection } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const shown = useRowWindow(body, rows, props.windowed === true);
  useRowKeys(props, body, shown.focus);
  const selectable = { rows: rows ?? [], rowKey: props.rowKey, selected: props.selected, focus: shown.focus };
  const toggle = useSelection(selection, selectable, body);
  const navigate = useNavigate();
  if (error && rows === undefined) return <ErrorState error={error} onRetry={props.onRetry} />;
  if (rows?.length === 0 && props.empty !== undefined) return <>{props.empty}</>;
  return (
    <div className={styles.scroll}>
      <table
        className={styles.table}
        aria-label={label}
        aria-busy={rows === undefined}
        // Not all rows are in the page: assistive technology reads how many there are.
        aria-rowcount={rows === undefined ? undefined : rows.length + 1}
      >
        <thead>
          <tr aria-rowindex={1}>
            {selection !== undefined && (
              <th scope="col" className={styles.choice}>
                <Box
                  label="Select all (a)"
                  share={selection.share}
                  // While rows load, a click would choose none of them.
                  disabled={rows === undefined}
                  onToggle={selection.toggleAll}
                />
              </th>
            )}
            {columns.map((column) => (
              <th key={column.id} scope="col" {...styleCell(column)}>
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          <Gap height={shown.before} />
          {rows === undefined
            ? Array.from({ length: skeletons }, (_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have nothing else
                <SkeletonRow key={index} columns={columns} isSelectable={selection !== undefined} />
              ))
            : rows.slice(shown.first, shown.last).map((row, index) => {
                const key = props.rowKey(row);
                return (
                  <Row
                    key={key}
                    row={row}
                    place={shown.first + index}
                    columns={columns}
                    to={props.href?.(row)}
                    isOpen={props.selected === key}
                    choice={selection?.nameOf(row)}
                    isChosen={selection?.chosen.has(key) === true}
                    toggle={toggle}
                    navigate={navigate}
                  />
                );
              })}
          <Gap height={shown.after} />
        </tbody>
      </table>
    </div>
  );
}

/** The last column of a table: what can be done with a row. */
export function actionsColumn<Row>(width: number | string, cell: Column<Row>['cell']): Column<Row> {
  return { id: 'actions', head: <span className="gh-hidden">Actions</span>, width, align: 'right', cell };
}

/** The keys j and k move between the rows, unless somebody is typing; closed details leave the focus on the row last seen. */
function useRowKeys<Row>(
  { rows = [], rowKey, selected, quiet = false, href }: DataTableProps<Row>,
  body: RefObject<HTMLTableSectionElement | null>,
  focus: (index: number) => void,
): void {
  const active = !quiet && href !== undefined;
  /** The row that had the focus last: it may have left the page. */
  const last = useRef<number>(undefined);
  const latest = useRef({ rows, rowKey, selected, focus });
  latest.current = { rows, rowKey, selected, focus };
  const seen = useRef(selected);
  useEffect(() => {
    if (!active) return;
    const onKey = (event: KeyboardEvent) => {
      if ((event.key !== 'j' && event.key !== 'k') || isTyping(event)) return;
      const { rows, rowKey, selected, focus } = latest.current;
      const focused = document.activeElement?.closest('tr');
      const isOwn = focused instanceof HTMLElement && body.current?.contains(focused) === true;
      // Before the first move: the row whose details are open, else none.
      const open = selected === undefined ? -1 : rows.findIndex((row) => rowKey(row) === selected);
      const at = isOwn ? Number(focused.dataset.row) : open >= 0 ? open : last.current;
      const next = at === undefined ? firstInView(body.current) : at + (event.key === 'j' ? 1 : -1);
      if (next < 0 || next >= rows.length) return;
      event.preventDefault();
      last.current = next;
      focus(next);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [active, body]);
  useEffect(() => {
    const before = seen.current;
    seen.current = selected;
    if (before === undefined || selected !== undefined) return;
    const { rows, rowKey, focus } = latest.current;
    const at = rows.findIndex((row) => rowKey(row) === before);
    if (at >= 0) focus(at);
  }, [selected]);
}

function firstInView(body: HTMLElement | null): number {
  const rows = [...(body?.querySelectorAll<HTMLElement>('tr[data-row]') ?? [])];
  const row = rows.find((each) => each.getBoundingClientRect().top >= 0) ?? rows[0];
  return Number(row?.dataset.row ?? 0);
}

/** The place of rows that are not in the page. */
function Gap({ height }: { height: number }) {
  return height === 0 ? null : (
    <tr aria-hidden>
      <td className={styles.gap} style={{ height }} />
    </tr>
  );
}

function SkeletonRow<Row>({
  columns,
  isSelectable,
}: {
  columns: readonly Column<Row>[];
  isSelectable: boolean;
}) {
  return (
    <tr aria-hidden>
      {isSelectable && <td className={styles.choice} />}
      {columns.map((column) => (
        <td key={column.id} {...styleCell(column)}>
          <Skeleton height={10} width={column.align === 'right' ? '40%' : '70%'} display="inline-block" />
        </td>
      ))}
    </tr>
  );
}
