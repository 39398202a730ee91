/** What the log shows when it has no rows: a button that clears the filter, or the first steps. */
import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { useScope } from '../scope.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import type { UsedFilter } from './assessments-filter.ts';

export function NothingFound({ used }: { used: UsedFilter }) {
  const { mode, page } = useScope();
  if (Object.keys(used.chosen).length > 0)
    return (
      <EmptyState
        title="No signup matches this filter"
        action={
          <Button variant="default" onClick={used.clear}>
            Clear the filter
          </Button>
        }
      >
        {mode === 'live' ? 'Only live signups are searched.' : 'Only sandbox signups are searched.'} You can
        change that in the top bar.
      </EmptyState>
    );
  return (
    <EmptyState
      title={mode === 'live' ? 'No live signups yet' : 'No sandbox signups yet'}
      action={
        <Button component={Link} href={page('overview')}>
          Show the first steps
        </Button>
      }
    >
      A signup appears here within a second after your server sends it.
    </EmptyState>
  );
}
