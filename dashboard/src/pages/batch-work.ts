/** Sends long work in batches, one after the other. An error stops it where it is: what was done is counted, and it can go on from there. */
import { useEffect, useRef, useState } from 'react';
import type { ApiProblem } from '../api.ts';
import type { Change } from '../ui/use-sending.ts';

export interface BatchWork<Item> extends Change<readonly Item[]> {
  readonly done: number;
  readonly total: number;
  /** Why it stopped before its end. */
  readonly error: ApiProblem | null;
  /** Begins; after an error, goes on where it stopped. */
  mutate(items: readonly Item[], callbacks?: Callbacks): void;
}

type Callbacks = Parameters<Change<unknown>['mutate']>[1];

export interface BatchOptions<Item, Answer> {
  readonly size: number;
  /** @param triedMsAgo milliseconds since the batch was first sent; absent: it was not */
  send(items: readonly Item[], triedMsAgo?: number): Promise<Answer>;
  /** Called after the last batch. */
  onDone(answers: readonly Answer[]): void;
}

interface State<Item, Answer> {
  readonly items: readonly Item[];
  readonly done: number;
  readonly answers: readonly Answer[];
  readonly isRunning: boolean;
  readonly error: ApiProblem | null;
  /** Time as of `performance.now` at which the batch that failed was first sent. */
  readonly triedAt?: number | undefined;
}

export function useBatches<Item, Answer>(options: BatchOptions<Item, Answer>): BatchWork<Item> {
  const [state, setState] = useState<State<Item, Answer>>({
    items: [],
    done: 0,
    answers: [],
    isRunning: false,
    error: null,
  });
  const latest = useRef(options);
  latest.current = options;
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);

  async function run(begun: State<Item, Answer>, callbacks: Callbacks | undefined): Promise<void> {
    let current = { ...begun, isRunning: true, error: null as ApiProblem | null };
    setState(current);
    const { size, send } = latest.current;
    try {
      while (current.done < current.items.length && !isGone.current) {
        const next = current.items.slice(current.done, current.done + size);
        const { triedAt } = current;
        current = { ...current, triedAt: triedAt ?? performance.now() };
        const answer = await send(next, triedAt && performance.now() - triedAt);
        current = {
          ...current,
          triedAt: undefined,
          done: current.done + next.length,
          answers: [...current.answers, answer],
        };
        setState(current);
      }
    } catch (error) {
      setState({ ...current, isRunning: false, error: error as ApiProblem });
      callbacks?.onError();
      return;
    }
    setState({ ...current, isRunning: false });
    if (isGone.current) return;
    latest.current.onDone(current.answers);
    callbacks?.onSuccess();
  }

  const { items, done, isRunning, error } = state;
  return {
    done,
    total: items.length,
    isPending: isRunning,
    error,
    mutate: (all, callbacks) =>
      void run(
        error === null ? { items: all, done: 0, answers: [], isRunning: true, error: null } : state,
        callbacks,
      ),
  };
}
