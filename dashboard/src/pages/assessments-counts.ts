/** Asks how many signups the filter finds, and how they are grouped. */
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { AssessmentFilter } from '../../../src/contract/dashboard-assessments.ts';
import type { Grouping, SignupGroups, SignupSummary } from '../../../src/contract/dashboard-signup-counts.ts';
import { type ApiProblem, send, withQuery } from '../api.ts';
import { useScope } from '../scope.ts';

/** Interval longer than that of rows: counting reads more. */
const REFETCH_MS = 30_000;

export function useSummary(filter: AssessmentFilter): UseQueryResult<SignupSummary, ApiProblem> {
  const { api } = useScope();
  return useCounts<SignupSummary>(withQuery(api('assessments/summary'), { ...filter }));
}

/** @param by `undefined`: nothing is asked */
export function useGroups(
  filter: AssessmentFilter,
  by: Grouping | undefined,
): UseQueryResult<SignupGroups, ApiProblem> {
  const { api } = useScope();
  return useCounts<SignupGroups>(
    by === undefined ? undefined : withQuery(api('assessments/groups'), { ...filter, by }),
  );
}

function useCounts<Answer>(path: string | undefined): UseQueryResult<Answer, ApiProblem> {
  return useQuery<Answer, ApiProblem>({
    queryKey: [path],
    queryFn: ({ signal }) => send<Answer>('GET', path ?? '', undefined, signal),
    enabled: path !== undefined,
    refetchInterval: REFETCH_MS,
    // The old counts stay until the new ones are there, so that nothing jumps.
    placeholderData: keepPreviousData,
  });
}
