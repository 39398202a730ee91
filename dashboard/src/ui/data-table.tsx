/** A table of 40-pixel rows: sticky header, columns by width, j/k/Enter, and its loading, empty and failed states. */
import { Skeleton } from '@mantine/core';
import { type MouseEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import styles from './data-table.module.css';
import { ErrorState } from './error-state.tsx';
import { isTyping } from './is-typing.ts';

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
}

/** Props that a page hands on to a table that has its own columns. */
export type FetchedRows<Row> = Pick<DataTableProps<Row>, 'rows' | 'error' | 'onRetry' | 'empty'>;

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, error, skeletons = 8 } = props;
  const body = useRowKeys(props.quiet !== true && props.href !== undefined);
  if (error && rows === undefined) return <ErrorState error={error} onRetry={props.onRetry} />;
  if (rows?.length === 0 && props.empty !== undefined) return <>{props.empty}</>;
  return (
    <div className={styles.scroll}>
      <table className={styles.table} aria-label={label} aria-busy={rows === undefined}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.id} scope="col" {...look(column)}>
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {rows === undefined
            ? Array.from({ length: skeletons }, (_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have nothing else
                <SkeletonRow key={index} columns={columns} />
              ))
            : rows.map((row) => <TableRow key={props.rowKey(row)} row={row} {...props} />)}
        </tbody>
      </table>
    </div>
  );
}

/** The last column of a table: what can be done with a row. */
export function actionsColumn<Row>(width: number | string, cell: Column<Row>['cell']): Column<Row> {
  return { id: 'actions', head: <span className="gh-hidden">Actions</span>, width, align: 'right', cell };
}

/** The keys j and k move between the rows, unless somebody is typing. */
function useRowKeys(active: boolean): RefObject<HTMLTableSectionElement | null> {
  const body = useRef<HTMLTableSectionElement>(null);
  useEffect(() => {
    if (!active) return;
    const onKey = (event: KeyboardEvent) => {
      if ((event.key !== 'j' && event.key !== 'k') || isTyping(event)) return;
      const links = [...(body.current?.querySelectorAll<HTMLElement>('[data-row-link]') ?? [])];
      // Before the first move: the row whose details are open, else none.
      const focused = links.findIndex((link) => link.closest('tr')?.contains(document.activeElement));
      const selected = links.findIndex((link) => link.closest('tr')?.hasAttribute('data-selected'));
      const at = focused >= 0 ? focused : selected;
      const next = links[at < 0 ? 0 : at + (event.key === 'j' ? 1 : -1)];
      if (next === undefined) return;
      event.preventDefault();
      next.focus();
      next.closest('tr')?.scrollIntoView({ block: 'nearest' });
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [active]);
  return body;
}

function TableRow<Row>({ row, columns, href, rowKey, selected }: DataTableProps<Row> & { row: Row }) {
  const [, navigate] = useLocation();
  const to = href?.(row);
  const open = (event: MouseEvent) => {
    const inside = (event.target as HTMLElement).closest('a, button, input, select, label');
    if (to === undefined || inside !== null || window.getSelection()?.type === 'Range') return;
    if (event.metaKey || event.ctrlKey) window.open(to, '_blank', 'noopener');
    else navigate(to);
  };
  return (
    <tr
      onClick={open}
      data-opens={to !== undefined || undefined}
      data-selected={selected === rowKey(row) || undefined}
    >
      {columns.map((column, index) => (
        <td key={column.id} {...look(column)}>
          {index === 0 && to !== undefined ? (
            <Link href={to} className={styles.rowLink} data-row-link>
              {column.cell(row)}
            </Link>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
    </tr>
  );
}

function SkeletonRow<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  return (
    <tr aria-hidden>
      {columns.map((column) => (
        <td key={column.id} {...look(column)}>
          <Skeleton height={10} width={column.align === 'right' ? '40%' : '70%'} display="inline-block" />
        </td>
      ))}
    </tr>
  );
}

function look<Row>({ align, from, width, wrap }: Column<Row>) {
  return {
    'data-align': align,
    'data-from': from,
    'data-wrap': wrap,
    style: width === undefined ? undefined : { width },
  };
}
