/** Asks the service what a typed text may mean, a moment after the last key. */
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { FindBody, FindResult, FindSuggestion } from '../../../src/contract/dashboard-find.ts';
import { type ApiProblem, send } from '../api.ts';
import type { FindScope } from './find-rows.ts';

const PAUSE_MS = 120;
const FRESH_MS = 30_000;

/**
 * The text goes in the body of a request and is forgotten with its answer.
 * @returns `found` is `undefined` until there is an answer to exactly this text
 */
export function useFind(
  text: string,
  { account, mode }: FindScope,
): { found: readonly FindSuggestion[] | undefined; error: ApiProblem | null } {
  const [asked] = useDebouncedValue(text, PAUSE_MS);
  const { data, error } = useQuery<FindResult, ApiProblem>({
    queryKey: ['find', account, mode, asked],
    queryFn: ({ signal }) =>
      send<FindResult>('POST', `/accounts/${account}/find`, { text: asked, mode } satisfies FindBody, signal),
    enabled: asked !== '',
    staleTime: FRESH_MS,
    gcTime: 0,
  });
  if (text === '') return { found: undefined, error: null };
  return asked === text ? { found: data?.suggestions, error } : { found: undefined, error: null };
}
