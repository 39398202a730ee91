/** The mistakes that a person has chosen to close, or to open again. */
import { useMemo, useState } from 'react';
import { MAX_BATCH } from '../../../src/contract/dashboard-batches.ts';
import type { MistakeRow } from '../../../src/contract/dashboard-mistakes.ts';
import type { RowSelection } from '../ui/row-selection.ts';

export interface MistakeSelection {
  readonly rows: readonly MistakeRow[];
  /** Selection in the form of the table. */
  readonly inTable: RowSelection<MistakeRow>;
  clear(): void;
}

interface Chosen {
  /** Words for what the table shows: with something else, nothing is chosen. */
  readonly shown: string;
  readonly ids: ReadonlySet<string>;
}

/** @param rows loaded ones @param shown words for what they are */
export function useMistakeSelection(rows: readonly MistakeRow[] = [], shown: string): MistakeSelection {
  const [chosen, setChosen] = useState<Chosen>({ shown, ids: new Set() });
  return useMemo(() => {
    const isCurrent = chosen.shown === shown;
    const own = rows.filter(({ request_id }) => isCurrent && chosen.ids.has(request_id));
    const set = (ids: Iterable<string>) => setChosen({ shown, ids: new Set([...ids].slice(0, MAX_BATCH)) });
    const clear = () => set([]);
    const ids = new Set(own.map(({ request_id }) => request_id));
    const isAll = own.length > 0 && own.length === Math.min(rows.length, MAX_BATCH);
    return {
      rows: own,
      clear,
      inTable: {
        chosen: ids,
        share: own.length === 0 ? 'none' : isAll ? 'all' : 'some',
        choose(of, isChosen) {
          const next = new Set(ids);
          for (const { request_id } of of) {
            if (isChosen) next.add(request_id);
            else next.delete(request_id);
          }
          set(next);
        },
        toggleAll: () => (isAll ? clear() : set(rows.map(({ request_id }) => request_id))),
        clear,
        nameOf: ({ email }) => `Select ${email}`,
      },
    };
  }, [rows, shown, chosen]);
}
