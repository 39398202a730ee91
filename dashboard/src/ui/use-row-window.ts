/** Decides which rows of a table are in the page: all of a short one, of a long one those near the window. */
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createRowHeights } from './row-heights.ts';

export interface RowWindow {
  /** The rows from `first` up to, without, `last` are in the page. */
  readonly first: number;
  readonly last: number;
  /** Pixels of the rows before and after them. */
  readonly before: number;
  readonly after: number;
  /** Brings a row into the window, and focuses its link. */
  focus(index: number): void;
}

/** Tables with fewer rows are in the page as a whole, so that the browser finds every word in them. */
const MIN_ROWS = 100;
const USUAL_HEIGHT = 40;
/** Rows beyond the window, on each side. */
const MARGIN = 6;

/** @param body contains rows with their place in `data-row` */
export function useRowWindow(
  body: RefObject<HTMLTableSectionElement | null>,
  rows: readonly unknown[] | undefined,
  mayWindow: boolean,
): RowWindow {
  const count = rows?.length ?? 0;
  const isLong = mayWindow && count > MIN_ROWS;
  const [heights] = useState(() => createRowHeights(USUAL_HEIGHT));
  const [range, setRange] = useState({ first: 0, last: MIN_ROWS });
  /** A row that is focused as soon as it is there. */
  const wanted = useRef<number>(undefined);
  const look = useRef(() => {});
  look.current = () => {
    const top = body.current?.getBoundingClientRect().top;
    if (!isLong || top === undefined) return;
    const first = Math.max(0, Math.min(heights.indexAt(-top), count - 1) - MARGIN);
    const last = Math.min(count, heights.indexAt(window.innerHeight - top) + 1 + MARGIN);
    setRange((before) => (before.first === first && before.last === last ? before : { first, last }));
  };

  useEffect(() => {
    if (!isLong) return;
    const onMove = () => look.current();
    onMove();
    window.addEventListener('scroll', onMove, { passive: true });
    window.addEventListener('resize', onMove);
    return () => {
      window.removeEventListener('scroll', onMove);
      window.removeEventListener('resize', onMove);
    };
  }, [isLong]);

  const first = isLong ? Math.min(range.first, count) : 0;
  const last = isLong ? Math.min(range.last, count) : count;
  // Measuring makes the browser lay the page out at once, so it waits until there are other rows.
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows may have other heights
  useLayoutEffect(() => {
    if (isLong) {
      let moved = false;
      for (const row of body.current?.querySelectorAll<HTMLElement>('tr[data-row]') ?? [])
        moved = heights.measure(Number(row.dataset.row), row.getBoundingClientRect().height) || moved;
      if (moved) look.current();
    }
    if (wanted.current !== undefined && focusRow(body.current, wanted.current)) wanted.current = undefined;
  }, [isLong, first, last, rows]);

  return {
    first,
    last,
    before: isLong ? heights.offsetOf(first) : 0,
    after: isLong ? heights.offsetOf(count) - heights.offsetOf(last) : 0,
    focus(index) {
      if (index < 0 || index >= count || focusRow(body.current, index)) return;
      wanted.current = index;
      const top = body.current?.getBoundingClientRect().top ?? 0;
      window.scrollTo({ top: window.scrollY + top + heights.offsetOf(index) - window.innerHeight / 2 });
      look.current();
    },
  };
}

/** @returns whether the row is in the page */
function focusRow(body: HTMLElement | null, index: number): boolean {
  const row = body?.querySelector(`tr[data-row="${index}"]`);
  const link = row?.querySelector<HTMLElement>('[data-row-link]');
  if (row === null || row === undefined || link === null || link === undefined) return false;
  link.focus({ preventScroll: true });
  row.scrollIntoView({ block: 'nearest' });
  return true;
}
