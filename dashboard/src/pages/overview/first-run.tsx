/** What stands here before the first assessment: how to make one. */
import { Button, Group } from '@mantine/core';
import { Link } from 'wouter';
import type { KeyRow } from '../../../../src/contract/dashboard/account.ts';
import { useGet } from '../../api.ts';
import { useScope } from '../../scope.ts';
import { EmptyState } from '../../ui/state/empty-state.tsx';
import { CodeBlock } from '../../ui/text/code-block.tsx';
import { curlOf } from '../try/request-code.ts';

export function FirstRun() {
  const { mode, api, page, canManage } = useScope();
  // Only owners may see the keys.
  const keys = useGet<readonly KeyRow[]>(canManage ? api('keys') : null).data;
  const key = keys?.find((one) => one.mode === 'test' && one.revoked_at === null);
  return (
    <EmptyState
      title={mode === 'test' ? 'No sandbox assessments yet' : 'No assessments yet'}
      action={
        <Group gap="xs" justify="center">
          <Button component={Link} href={page('try')}>
            Try one here
          </Button>
          {canManage && (
            <Button component={Link} href={page('keys')} variant="default">
              {key === undefined ? 'Create a key' : 'See the keys'}
            </Button>
          )}
        </Group>
      }
    >
      Ask from your server at every signup. With a sandbox key it costs nothing:
      <CodeBlock
        label="First request"
        code={curlOf({
          origin: window.location.origin,
          key: key === undefined ? '<YOUR_SANDBOX_KEY>' : `${key.prefix}…`,
          request: { email: 'someone@example.com', ip: '8.8.8.8' },
        })}
      />
    </EmptyState>
  );
}
