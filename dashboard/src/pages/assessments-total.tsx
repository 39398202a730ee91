/** How many signups the filter finds, and with which answers; each number leads to its rows. */
import { Skeleton } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { SignupSummary } from '../../../src/contract/dashboard-signup-counts.ts';
import type { ApiProblem } from '../api.ts';
import { grouped, pluralize } from '../ui/format.ts';
import { observedOf, VERDICTS } from '../ui/verdicts.ts';
import styles from './assessments-counts.module.css';
import type { FilterChanges } from './assessments-filter.ts';

export interface TotalProps {
  readonly summary: UseQueryResult<SignupSummary, ApiProblem>;
  onFilter(changes: FilterChanges): void;
}

export function Total({ summary: { data, isPlaceholderData, isError }, onFilter }: TotalProps) {
  if (isError && data === undefined) return <>Every signup, newest first.</>;
  if (data === undefined) return <Skeleton height={14} width={220} mt={6} />;
  const { total, block, challenge, counted_from } = data;
  const observed = observedOf(data);
  return (
    <span className={styles.total} aria-live="polite" aria-busy={isPlaceholderData}>
      <strong>
        {counted_from !== null && 'at least '}
        {pluralize(total, 'signup')}
      </strong>
      <Part
        count={block}
        word={VERDICTS.block.did}
        filter={{ verdict: 'block', shadow: 'false' }}
        onFilter={onFilter}
      />
      <Part
        count={challenge}
        word={VERDICTS.challenge.did}
        filter={{ verdict: 'challenge', shadow: 'false' }}
        onFilter={onFilter}
      />
      <Part
        count={observed}
        word="only observed"
        filter={{ verdict: 'challenge,block', shadow: 'true' }}
        onFilter={onFilter}
      />
    </span>
  );
}

interface PartProps {
  readonly count: number;
  readonly word: string;
  /** Finds exactly these, within the filter. */
  readonly filter: FilterChanges;
  onFilter(changes: FilterChanges): void;
}

function Part({ count, word, filter, onFilter }: PartProps) {
  if (count === 0) return null;
  return (
    <button type="button" className={styles.part} onClick={() => onFilter(filter)}>
      {grouped(count)} {word}
    </button>
  );
}
