/** What stands where the log has no rows: the way out of a filter, or the first request to send. */
import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { useScope } from '../../../scope.ts';
import { EmptyState } from '../../../ui/state/empty-state.tsx';
import { CodeBlock } from '../../../ui/text/code-block.tsx';
import type { UsedFilter } from './log-filter.ts';

export function NothingFound({ used }: { used: UsedFilter }) {
  const { mode, page } = useScope();
  if (Object.keys(used.chosen).length > 0)
    return (
      <EmptyState
        title="No assessment matches this filter"
        action={
          <Button variant="default" onClick={used.clear}>
            Clear the filter
          </Button>
        }
      >
        {mode === 'live' ? 'Only live traffic is searched' : 'Only sandbox traffic is searched'}; the switch
        in the top bar changes that.
      </EmptyState>
    );
  return (
    <EmptyState
      title={mode === 'live' ? 'No live assessments yet' : 'No sandbox assessments yet'}
      action={
        <Button component={Link} href={page('try')}>
          Try it here
        </Button>
      }
    >
      Ask for the first one from your server; it stands here within a second.
      <CodeBlock
        label="First request"
        wrap
        code={`curl ${window.location.origin}/v1/assess \\
  -H 'Authorization: Bearer ${mode === 'live' ? 'YOUR_LIVE_KEY' : 'YOUR_SANDBOX_KEY'}' \\
  -H 'Content-Type: application/json' \\
  -d '{"email":"someone@example.com","ip":"203.0.113.7"}'`}
      />
    </EmptyState>
  );
}
