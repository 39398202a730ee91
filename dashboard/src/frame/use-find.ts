/** Asks the service what a typed text may mean, a moment after the last key. */
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { FindBody, FindResult, FindSuggestion } from '../../../src/contract/dashboard-find.ts';
import { type ApiProblem, send } from '../api.ts';
import type { FindScope } from './find-rows.ts';

const PAUSE_MS = 120;
const FRESH_MS = 30_000;

export interface FindAnswer {
  /** `undefined` until there is an answer to exactly this text. */
  readonly found: readonly FindSuggestion[] | undefined;
  /** Whether the newest signups are missing. */
  readonly isBehind: boolean;
  readonly error: ApiProblem | null;
}

const NOTHING: FindAnswer = { found: undefined, isBehind: false, error: null };

/** The text goes in the body of a request and is forgotten with its answer. */
export function useFind(text: string, { account, mode }: FindScope): FindAnswer {
  const [query] = useDebouncedValue(text, PAUSE_MS);
  const { data, error } = useQuery<FindResult, ApiProblem>({
    queryKey: ['find', account, mode, query],
    queryFn: ({ signal }) =>
      send<FindResult>('POST', `/accounts/${account}/find`, { text: query, mode } satisfies FindBody, signal),
    enabled: query !== '',
    staleTime: FRESH_MS,
    gcTime: 0,
  });
  if (text === '' || query !== text) return NOTHING;
  return { found: data?.suggestions, isBehind: (data?.indexing ?? null) !== null, error };
}
