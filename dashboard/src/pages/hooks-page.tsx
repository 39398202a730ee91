/** Hooks: what auth providers call before they create a user, and mail providers after a bounce; created, rotated and revoked here. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { HookRow } from '../../../src/contract/dashboard-hooks.ts';
import { useGet } from '../api.ts';
import { useScope } from '../scope.ts';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconPlus } from '../ui/icons.ts';
import { later } from '../ui/later.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { HooksTable } from './hooks-table.tsx';

const CreateHook = later(async () => (await import('./hooks-create.tsx')).CreateHook);

export function HooksPage() {
  const { account, api, canManage } = useScope();
  const [creating, setCreating] = useState(false);
  const [revoked, setRevoked] = useState(false);
  const hooks = useGet<readonly HookRow[]>(canManage ? api('hooks') : null);
  if (!canManage)
    return (
      <>
        <PageHeader title="Hooks" />
        <EmptyState title="Only owners see the hooks">Ask an owner of {account.name} for one.</EmptyState>
      </>
    );
  const gone = hooks.data?.filter(({ revoked_at }) => revoked_at !== null).length ?? 0;
  const create = (variant: 'filled' | 'default') => (
    <Button variant={variant} leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
      Create hook
    </Button>
  );
  return (
    <>
      <PageHeader title="Hooks" actions={create('filled')}>
        An auth provider asks Gatehouse through a hook before it creates a user for {account.name}. A mail
        provider reports bounces and complaints through one. You add no code.
      </PageHeader>
      <Card title="Hooks" note="one for each place that calls" flush>
        <HooksTable
          rows={hooks.data?.filter(({ revoked_at }) => revoked || revoked_at === null)}
          error={hooks.error}
          onRetry={() => void hooks.refetch()}
          empty={
            <EmptyState title="No hooks" action={create('default')}>
              For Supabase, Ory Kratos, WorkOS, Okta, Entra External ID, Neon Auth, Zitadel and FusionAuth.
              Begin with a sandbox hook: it returns canned test answers. For bounces and complaints: Amazon
              SES, Postmark, Resend, Mailgun and SendGrid.
            </EmptyState>
          }
        />
      </Card>
      {gone > 0 && (
        <Button variant="subtle" mt="md" onClick={() => setRevoked(!revoked)}>
          {revoked ? 'Hide revoked hooks' : `Show ${gone} revoked ${gone === 1 ? 'hook' : 'hooks'}`}
        </Button>
      )}
      {creating && <CreateHook onClose={() => setCreating(false)} />}
    </>
  );
}
