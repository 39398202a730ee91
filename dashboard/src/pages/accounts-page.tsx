/** All accounts of the installation: plan, use, limits; create one, change one. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { OperatorAccount } from '../../../src/contract/dashboard-installation.ts';
import { LIVE_MS, useGet } from '../api.ts';
import { accountHref } from '../scope.ts';
import { Card } from '../ui/card.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconPlus } from '../ui/icons.ts';
import { later } from '../ui/later.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { accountColumns } from './accounts-columns.tsx';
import { OperatorTabs } from './operator-tabs.tsx';

const DeleteAccount = later(async () => (await import('./accounts-delete.tsx')).DeleteAccount);
const AccountForm = later(async () => (await import('./accounts-form.tsx')).AccountForm);

export function AccountsPage() {
  const [edited, setEdited] = useState<OperatorAccount | 'new'>();
  const [deleted, setDeleted] = useState<OperatorAccount>();
  const accounts = useGet<readonly OperatorAccount[]>('/operator/accounts', {
    live: 2 * LIVE_MS,
  });
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setEdited('new')}>
      Create account
    </Button>
  );
  return (
    <>
      <PageHeader title="Accounts" actions={create}>
        Each account has its own keys, thresholds, lists and people.
      </PageHeader>
      <OperatorTabs />
      <Card flush>
        <DataTable
          label="Accounts"
          columns={accountColumns(setEdited, setDeleted)}
          rows={accounts.data}
          rowKey={({ id }) => id}
          href={({ id }) => accountHref(id, 'today')}
          error={accounts.error}
          onRetry={() => void accounts.refetch()}
          skeletons={3}
          empty={
            <EmptyState title="No account yet" action={create}>
              An account has its own keys and signups. Create one for each product or customer.
            </EmptyState>
          }
        />
      </Card>
      {edited !== undefined && (
        <AccountForm account={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
      )}
      {deleted !== undefined && <DeleteAccount account={deleted} onClose={() => setDeleted(undefined)} />}
    </>
  );
}
