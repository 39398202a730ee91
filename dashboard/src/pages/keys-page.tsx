/** Keys, live and test apart: create, rename, own thresholds, last use, revoke. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { KeyRow } from '../../../src/contract/dashboard-account.ts';
import type { KeyMode } from '../../../src/model/key-mode.ts';
import { useGet } from '../api.ts';
import { useOpenedByCommand, useScope } from '../scope.ts';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconPlus } from '../ui/icons.ts';
import { later } from '../ui/later.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { RotationNotices } from './keys-rotation-notice.tsx';
import { KeysTable } from './keys-table.tsx';

const CreateKey = later(async () => (await import('./keys-create.tsx')).CreateKey);

const KINDS: readonly { mode: KeyMode; title: string; note: string; empty: string }[] = [
  {
    mode: 'live',
    title: 'Live keys',
    note: 'real signups, one credit each',
    empty: 'A live key lets your server check real signups.',
  },
  {
    mode: 'test',
    title: 'Sandbox keys',
    note: 'canned test answers, free',
    empty: 'A sandbox key lets you build and test without cost.',
  },
];

/** Time between two reads of the keys: after a rotation, a person watches here whether the old secret is still used. */
const REFRESH_MS = 10_000;

export function KeysPage() {
  const { account, api, canManage } = useScope();
  const [creating, setCreating] = useState<KeyMode | undefined>(
    useOpenedByCommand() === 'create' ? 'live' : undefined,
  );
  const [revoked, setRevoked] = useState(false);
  const keys = useGet<readonly KeyRow[]>(canManage ? api('keys') : null, { live: REFRESH_MS });
  if (!canManage)
    return (
      <>
        <PageHeader title="Keys" />
        <EmptyState title="Only owners see the keys">Ask an owner of {account.name} for one.</EmptyState>
      </>
    );
  const gone = keys.data?.filter(({ revoked_at }) => revoked_at !== null).length ?? 0;
  return (
    <>
      <PageHeader
        title="Keys"
        actions={
          <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating('live')}>
            Create key
          </Button>
        }
      >
        Your servers use these keys to call Gatehouse for {account.name}. Keep them out of browsers and
        repositories.
      </PageHeader>
      <RotationNotices keys={keys.data ?? []} />
      {KINDS.map(({ mode, title, note, empty }) => (
        <Card key={mode} title={title} note={note} flush>
          <KeysTable
            label={title}
            mode={mode}
            rows={keys.data?.filter((key) => key.mode === mode && (revoked || key.revoked_at === null))}
            error={keys.error}
            onRetry={() => void keys.refetch()}
            empty={
              <EmptyState
                title={`No ${title.toLowerCase()}`}
                action={
                  <Button variant="default" onClick={() => setCreating(mode)}>
                    Create {mode === 'live' ? 'live' : 'sandbox'} key
                  </Button>
                }
              >
                {empty}
              </EmptyState>
            }
          />
        </Card>
      ))}
      {gone > 0 && (
        <Button variant="subtle" mt="md" onClick={() => setRevoked(!revoked)}>
          {revoked ? 'Hide revoked keys' : `Show ${gone} revoked ${gone === 1 ? 'key' : 'keys'}`}
        </Button>
      )}
      {creating !== undefined && <CreateKey mode={creating} onClose={() => setCreating(undefined)} />}
    </>
  );
}
