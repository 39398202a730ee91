/** Lets the service evaluate a period's signups again, a moment after the last change; keeps the last answer meanwhile. */
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Simulation, SimulationRequest } from '../../../src/contract/dashboard-account.ts';
import { type ApiProblem, send } from '../api.ts';
import { useScope } from '../scope.ts';
import { shownError } from '../ui/waiting.ts';

const PAUSE_MS = 250;

export interface SimulationState {
  readonly simulation: Simulation | undefined;
  readonly error: ApiProblem | null;
  /** The answer is for another period, key, baseline or other weights than those on the page. */
  readonly recounting: boolean;
  /** The answer is for other thresholds: its samples are outdated, but its counts can be computed here. */
  readonly resampling: boolean;
  retry(): void;
}

export function useSimulation(request: SimulationRequest): SimulationState {
  const { api } = useScope();
  const path = api('simulate');
  const text = JSON.stringify(request);
  const [settled] = useDebouncedValue(text, PAUSE_MS);
  const query = useQuery<{ simulation: Simulation; of: SimulationRequest }, ApiProblem>({
    queryKey: [path, settled],
    queryFn: async ({ signal }) => {
      const of = JSON.parse(settled) as SimulationRequest;
      return { of, simulation: await send<Simulation>('POST', path, of, signal) };
    },
    placeholderData: keepPreviousData,
    staleTime: 15_000,
  });
  const { data, refetch, isPlaceholderData } = query;
  const error = shownError(query);
  const failed = error !== null && !isPlaceholderData ? error : null;
  return {
    simulation: failed === null ? data?.simulation : undefined,
    error: failed,
    recounting: data !== undefined && populationOf(data.of) !== populationOf(request),
    resampling: data !== undefined && JSON.stringify(data.of) !== text,
    retry: () => void refetch(),
  };
}

/** Text of everything that the counts depend on, except thresholds, which the page applies by itself. */
function populationOf({ mode, period, key, weights, baseline, observed }: SimulationRequest): string {
  return JSON.stringify([mode, period, key, weights, baseline, observed]);
}
