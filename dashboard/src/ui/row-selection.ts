/** The rows of a table that a person has chosen: by their boxes, and by the keys x, shift with x, j and k, a and Escape. */
import { type RefObject, useEffect, useRef } from 'react';
import { isTyping } from './is-typing.ts';

export interface RowSelection<Row> {
  /** Keys of the chosen rows; they need not be loaded. */
  readonly chosen: ReadonlySet<string>;
  /** Whether all that there are have been chosen, or some. */
  readonly share: 'none' | 'some' | 'all';
  choose(rows: readonly Row[], isChosen: boolean): void;
  /** Chooses all that there are, also those that are not loaded; or none, if all are chosen. */
  toggleAll(): void;
  clear(): void;
  /** The row for people: `Select j***@example.com`. */
  nameOf(row: Row): string;
}

export interface SelectableRows<Row> {
  readonly rows: readonly Row[];
  rowKey(row: Row): string;
  /** Key of the row whose details are open. */
  readonly selected: string | undefined;
  /** Brings a row into the window, and focuses its link. */
  focus(index: number): void;
}

type Toggle = (index: number, extend: boolean) => void;

/** @returns what a click on the box of a row does: alone, or with shift up to the row that was chosen last */
export function useSelection<Row>(
  selection: RowSelection<Row> | undefined,
  table: SelectableRows<Row>,
  body: RefObject<HTMLTableSectionElement | null>,
): Toggle {
  /** The row that was chosen last, from which shift extends. */
  const anchor = useRef<number>(undefined);
  const latest = useRef({ selection, table });
  latest.current = { selection, table };
  const toggle = useRef<Toggle>((index, extend) => {
    const { selection, table } = latest.current;
    const row = table.rows[index];
    if (selection === undefined || row === undefined) return;
    const from = extend ? (anchor.current ?? index) : index;
    const isChosen = extend || !selection.chosen.has(table.rowKey(row));
    anchor.current = index;
    selection.choose(table.rows.slice(Math.min(from, index), Math.max(from, index) + 1), isChosen);
  }).current;
  const active = selection !== undefined;
  useEffect(() => {
    if (!active) return;
    const onKey = (event: KeyboardEvent) => {
      const { selection, table } = latest.current;
      if (selection === undefined || isTyping(event)) return;
      const { rows, rowKey, selected } = table;
      const focused = document.activeElement?.closest('tr');
      const isOwn = focused instanceof HTMLElement && body.current?.contains(focused) === true;
      const open = selected === undefined ? -1 : rows.findIndex((row) => rowKey(row) === selected);
      const at = open >= 0 ? open : isOwn ? Number(focused.dataset.row ?? -1) : -1;
      if (!act(event.key, at)) return;
      event.preventDefault();
    };
    /** @returns whether the key is one of these */
    const act = (key: string, at: number): boolean => {
      const { selection, table } = latest.current;
      if (selection === undefined) return false;
      if (key === 'a') selection.toggleAll();
      else if (key === 'Escape' && selection.share !== 'none' && table.selected === undefined)
        selection.clear();
      else if (key === 'x' && at >= 0) toggle(at, false);
      else if (key === 'X' && at >= 0) toggle(at, true);
      else if ((key === 'J' || key === 'K') && at >= 0 && table.selected === undefined)
        extend(at, key === 'J' ? 1 : -1);
      else return false;
      return true;
    };
    const extend = (at: number, step: number) => {
      const { selection, table } = latest.current;
      const next = at + step;
      if (next < 0 || next >= table.rows.length) return;
      selection?.choose(table.rows.slice(Math.min(at, next), Math.max(at, next) + 1), true);
      anchor.current = next;
      table.focus(next);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [active, body, toggle]);
  return toggle;
}
