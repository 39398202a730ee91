/** The signups that a person has chosen in the list: one by one, or all that the filter finds, which are read page by page. */
import { type Dispatch, type SetStateAction, useEffect, useMemo, useRef, useState } from 'react';
import type {
  AssessmentFilter,
  AssessmentSearchResult,
  NamedSignup,
} from '../../../src/contract/dashboard-assessments.ts';
import { type ApiProblem, send, withQuery } from '../api.ts';
import { useScope } from '../scope.ts';
import type { RowSelection } from '../ui/row-selection.ts';

export interface SignupSelection {
  readonly rows: ReadonlyMap<string, NamedSignup>;
  /** Filter of the list that they were chosen in. */
  readonly filter: AssessmentFilter;
  /** Selection in the form of the table. */
  readonly inTable: RowSelection<NamedSignup>;
  /** All that the filter finds are being read. */
  readonly isReading: boolean;
  /** There are more than can be chosen. */
  readonly isFull: boolean;
  /** Why not all could be read. */
  readonly error: ApiProblem | null;
  /** Goes on reading after an error. */
  resume(): void;
  clear(): void;
}

interface State {
  readonly rows: ReadonlyMap<string, NamedSignup>;
  /** Everything that the filter finds was chosen, and nothing was taken out since. */
  readonly isAll: boolean;
  readonly isFull: boolean;
  readonly isReading: boolean;
  readonly error: ApiProblem | null;
  /** Place where reading all goes on. */
  readonly cursor: string | null;
}

export const MAX_CHOSEN = 10_000;
const PAGE = 200;
const NOTHING: State = {
  rows: new Map(),
  isAll: false,
  isFull: false,
  isReading: false,
  error: null,
  cursor: null,
};

export function useSignupSelection(filter: AssessmentFilter): SignupSelection {
  const { api } = useScope();
  const [state, setState] = useState(NOTHING);
  const latest = useRef({ state, filter, path: api('assessments') });
  latest.current = { state, filter, path: api('assessments') };

  const [actions] = useState(() => createActions(() => latest.current, setState));

  // Chosen rows are seen in the list: with another filter, nothing is chosen.
  const wanted = JSON.stringify(filter);
  const shown = useRef(wanted);
  useEffect(() => {
    if (shown.current === wanted) return;
    shown.current = wanted;
    actions.clear();
  }, [wanted, actions]);
  useEffect(() => actions.stop, [actions]);

  const { rows, isAll, isReading, isFull, error } = state;
  const inTable = useMemo(
    (): RowSelection<NamedSignup> => ({
      chosen: new Set(rows.keys()),
      share: rows.size === 0 ? 'none' : isAll ? 'all' : 'some',
      choose: actions.choose,
      toggleAll: actions.toggleAll,
      clear: actions.clear,
      nameOf: ({ email }) => `Select ${email}`,
    }),
    [rows, isAll, actions],
  );
  return { rows, filter, inTable, isReading, isFull, error, resume: actions.resume, clear: actions.clear };
}

/** Values of the last drawing. */
interface Shown {
  readonly state: State;
  readonly filter: AssessmentFilter;
  readonly path: string;
}

function createActions(shown: () => Shown, setState: Dispatch<SetStateAction<State>>) {
  let reading: AbortController | undefined;
  const stop = () => reading?.abort();
  const clear = () => {
    stop();
    setState(NOTHING);
  };
  const readAll = async (begun: State): Promise<void> => {
    stop();
    const controller = new AbortController();
    reading = controller;
    let current = { ...begun, isReading: true, error: null as ApiProblem | null };
    setState(current);
    try {
      for await (const page of pagesOf(shown(), begun.cursor, controller.signal)) {
        if (controller.signal.aborted) return;
        const rows = new Map(current.rows);
        for (const row of page.rows) if (rows.size < MAX_CHOSEN) rows.set(row.request_id, row);
        const isFull = rows.size === MAX_CHOSEN && page.cursor !== null;
        current = { ...current, rows, isFull, cursor: page.cursor };
        setState(current);
        if (isFull) break;
      }
      setState({ ...current, isReading: false, isAll: true });
    } catch (error) {
      if (!controller.signal.aborted) setState({ ...current, isReading: false, error: error as ApiProblem });
    }
  };
  return {
    stop,
    clear,
    resume: () => void readAll(shown().state),
    toggleAll: () => (shown().state.isAll || shown().state.isReading ? clear() : void readAll(NOTHING)),
    choose(chosen: readonly NamedSignup[], isChosen: boolean) {
      stop();
      setState((before) => {
        const rows = new Map(before.rows);
        for (const row of chosen) {
          if (!isChosen) rows.delete(row.request_id);
          else if (rows.size < MAX_CHOSEN) rows.set(row.request_id, row);
        }
        return { ...NOTHING, rows, isFull: rows.size === MAX_CHOSEN };
      });
    },
  };
}

/** All pages of what a filter finds, from a place on. */
async function* pagesOf(
  { path, filter }: { readonly path: string; readonly filter: AssessmentFilter },
  from: string | null,
  signal: AbortSignal,
): AsyncGenerator<AssessmentSearchResult> {
  let cursor: string | undefined = from ?? undefined;
  do {
    const page: AssessmentSearchResult = await send(
      'GET',
      withQuery(path, { ...filter, cursor, limit: PAGE }),
      undefined,
      signal,
    );
    yield page;
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
}
