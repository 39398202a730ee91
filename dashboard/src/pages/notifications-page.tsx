/** Notifications: where this account is told what happens. The open destination is beside the list and has its own URL. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useLocation, useParams } from 'wouter';
import type { DestinationsPage } from '../../../src/contract/dashboard-destinations.ts';
import { useGet } from '../api.ts';
import { useScope } from '../scope.ts';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconPlus } from '../ui/icons.ts';
import { later } from '../ui/later.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { DestinationPanel } from './notifications-panel.tsx';
import { DestinationsTable } from './notifications-table.tsx';

const CreateDestination = later(async () => (await import('./notifications-form.tsx')).CreateDestination);

const REFRESH_MS = 15_000;

export function NotificationsPage() {
  const { account, canManage } = useScope();
  if (canManage) return <Destinations />;
  return (
    <>
      <PageHeader title="Notifications" />
      <EmptyState title="Only owners see the destinations">
        Ask an owner of {account.name} for one.
      </EmptyState>
    </>
  );
}

function Destinations() {
  const { account, api, page } = useScope();
  const [creating, setCreating] = useState(false);
  const [, navigate] = useLocation();
  const { destination: open } = useParams();
  const found = useGet<DestinationsPage>(api('destinations'), { live: REFRESH_MS });
  const create = (variant: 'filled' | 'default') => (
    <Button
      variant={variant}
      leftSection={<IconPlus size={16} />}
      disabled={found.data === undefined}
      onClick={() => setCreating(true)}
    >
      Add destination
    </Button>
  );
  const chosen = found.data?.destinations.find(({ id }) => id === open);
  return (
    <>
      <PageHeader title="Notifications" actions={create('filled')}>
        Who is told what happens in {account.name}: programs by signed webhooks, people in Slack or by e-mail.
      </PageHeader>
      <Card flush>
        <DestinationsTable
          page={found.data}
          error={found.error}
          onRetry={() => void found.refetch()}
          selected={open}
          empty={
            <EmptyState title="No destinations yet" action={create('default')}>
              Add a webhook, a Slack channel or an e-mail address. Waves and alerts are sent there within a
              minute.
            </EmptyState>
          }
        />
      </Card>
      {creating && found.data !== undefined && (
        <CreateDestination recipients={found.data.recipients} onClose={() => setCreating(false)} />
      )}
      {open !== undefined && found.data !== undefined && (
        <DestinationPanel id={open} destination={chosen} onClose={() => navigate(page('notifications'))} />
      )}
    </>
  );
}
