/** Lists: what the account allows and denies of its own accord, why, until when, and how often it decided. */
import { Button, Tabs, TextInput } from '@mantine/core';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import type { ListEntry } from '../../../../src/contract/dashboard/account.ts';
import { useGet } from '../../api.ts';
import { AddEntry } from '../../listing/add-entry.tsx';
import { useScope, useSetQuery } from '../../scope.ts';
import { Card } from '../../ui/layout/card.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { EmptyState } from '../../ui/state/empty-state.tsx';
import { grouped } from '../../ui/text/format.ts';
import { EntriesTable } from './entries-table.tsx';
import styles from './lists.module.css';

type Action = ListEntry['action'];

const WORDS: Readonly<Record<Action, { title: string; empty: string }>> = {
  allow: {
    title: 'Allow',
    empty:
      'Partners, offices and test accounts that must always come in: an entry decides before any evidence.',
  },
  deny: {
    title: 'Deny',
    empty: 'Addresses, domains and networks that have hurt you before: an entry decides before any evidence.',
  },
};

export function ListsPage() {
  const { api, canManage } = useScope();
  const [search] = useSearchParams();
  const setQuery = useSetQuery();
  const [adding, setAdding] = useState(false);
  const lists = useGet<readonly ListEntry[]>(api('lists'));
  const action: Action = search.get('list') === 'deny' ? 'deny' : 'allow';
  const sought = search.get('value') ?? '';
  const of = (one: Action) => lists.data?.filter((entry) => entry.action === one);
  return (
    <>
      <PageHeader
        title="Lists"
        actions={
          canManage && (
            <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
              Add entry
            </Button>
          )
        }
      >
        What you know better than any source. Where several entries speak, the most precise one decides.
      </PageHeader>
      <Tabs
        value={action}
        onChange={(value) => setQuery({ list: value === 'deny' ? 'deny' : undefined })}
        keepMounted={false}
      >
        <div className={styles.tabs}>
          <Tabs.List>
            {(['allow', 'deny'] as const).map((one) => (
              <Tabs.Tab key={one} value={one}>
                {WORDS[one].title}{' '}
                {lists.data && <span className="gh-faint">{grouped(of(one)?.length ?? 0)}</span>}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <TextInput
            className={styles.search}
            size="xs"
            type="search"
            aria-label="Find in the list"
            placeholder="Find value or reason"
            leftSection={<IconSearch size={14} />}
            value={sought}
            onChange={(event) => setQuery({ value: event.currentTarget.value })}
          />
        </div>
        <Tabs.Panel value={action}>
          <Card flush>
            <EntriesTable
              label={`${WORDS[action].title} list`}
              rows={matching(of(action), sought)}
              error={lists.error}
              onRetry={() => void lists.refetch()}
              empty={
                sought !== '' && (of(action)?.length ?? 0) > 0 ? (
                  <EmptyState
                    title={`No entry has “${sought}” in it`}
                    action={
                      <Button variant="default" onClick={() => setQuery({ value: undefined })}>
                        Show all entries
                      </Button>
                    }
                  />
                ) : (
                  <EmptyState
                    title={`Nothing is on the ${action} list`}
                    action={
                      canManage && (
                        <Button variant="default" onClick={() => setAdding(true)}>
                          Add entry
                        </Button>
                      )
                    }
                  >
                    {WORDS[action].empty}
                  </EmptyState>
                )
              }
            />
          </Card>
        </Tabs.Panel>
      </Tabs>
      {adding && <AddEntry action={action} onClose={() => setAdding(false)} />}
    </>
  );
}

function matching(entries: readonly ListEntry[] | undefined, sought: string) {
  const text = sought.trim().toLowerCase();
  return entries?.filter(({ value, reason }) => `${value} ${reason}`.toLowerCase().includes(text));
}
