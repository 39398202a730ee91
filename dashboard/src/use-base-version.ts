/** The version that a change is made against: where the person began, or what they were shown with the latest refusal. */
import { useRef } from 'react';
import type { MeanwhileChange } from '../../src/contract/problem.ts';

type Version = string | undefined;
type Refusal = { readonly meanwhile: readonly MeanwhileChange[] | undefined } | null;

/**
 * @param version of what the page shows now
 * @param begun version of what it showed when the person began
 */
export function useBaseVersion(error: Refusal, version: Version, begun: Version): Version {
  const shown = useRef<{ readonly error: Refusal; readonly version: Version; readonly begun: Version }>(
    undefined,
  );
  if (error?.meanwhile !== undefined && shown.current?.error !== error)
    shown.current = { error, version, begun };
  return shown.current?.begun === begun ? shown.current?.version : begun;
}
