/** Tokens of the management API: what each may do and where, by whom and when it was used; created and revoked here. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { TokenRow } from '../../../src/contract/dashboard-tokens.ts';
import { LIVE_MS, useGet, useSend } from '../api.ts';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconPlus } from '../ui/icons.ts';
import { later } from '../ui/later.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { RevokeDialog } from '../ui/revoke-dialog.tsx';
import { OperatorTabs } from './operator-tabs.tsx';
import styles from './tokens-page.module.css';
import { SCOPE_WORDS } from './tokens-scopes.ts';
import { TokensTable } from './tokens-table.tsx';

const CreateToken = later(async () => (await import('./tokens-create.tsx')).CreateToken);

export function TokensPage() {
  const [creating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<TokenRow>();
  const [showsEnded, setShowsEnded] = useState(false);
  const tokens = useGet<readonly TokenRow[]>('/operator/tokens', { live: 2 * LIVE_MS });
  const ended = tokens.data?.filter(({ state }) => state !== 'active').length ?? 0;
  const create = (variant: 'filled' | 'default') => (
    <Button variant={variant} leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
      Create token
    </Button>
  );
  return (
    <>
      <PageHeader title="Management tokens" actions={create('filled')}>
        Terraform and scripts use the management API with a token. It can do only what its scopes allow.
      </PageHeader>
      <OperatorTabs />
      <Card flush>
        <TokensTable
          rows={tokens.data?.filter(({ state }) => showsEnded || state === 'active')}
          onRevoke={setRevoking}
          error={tokens.error}
          onRetry={() => void tokens.refetch()}
          empty={
            <EmptyState title="No tokens" action={create('default')}>
              Create one for each program that manages accounts, keys, lists or hooks, with only the scopes
              that it needs.
            </EmptyState>
          }
        />
      </Card>
      {ended > 0 && (
        <Button variant="subtle" mt="md" onClick={() => setShowsEnded(!showsEnded)}>
          {showsEnded ? 'Hide' : 'Show'} {ended} revoked or expired {ended === 1 ? 'token' : 'tokens'}
        </Button>
      )}
      {creating && <CreateToken onClose={() => setCreating(false)} />}
      {revoking !== undefined && <RevokeToken token={revoking} onClose={() => setRevoking(undefined)} />}
    </>
  );
}

/** Names what stops working. */
function RevokeToken({ token, onClose }: { token: TokenRow; onClose: () => void }) {
  const revoke = useSend('POST', `/operator/tokens/${token.id}/revoke`, {
    refreshes: ['/operator/tokens', '/operator/audit'],
  });
  return (
    <RevokeDialog
      revoke={revoke}
      noun="token"
      name={token.name}
      lastUsedAt={token.last_used_at}
      stays="The keys, entries and hooks that it created stay."
      onClose={onClose}
    >
      <p>
        Requests with this token will be refused from now on, on every node. This cannot be undone. The
        programs that use it can no longer do this in{' '}
        {token.account === null ? 'any account' : token.account.name}:
      </p>
      <ul className={styles.allowed}>
        {token.scopes.map((scope) => (
          <li key={scope}>{SCOPE_WORDS[scope]}</li>
        ))}
      </ul>
    </RevokeDialog>
  );
}
