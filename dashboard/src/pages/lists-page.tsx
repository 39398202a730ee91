/** Lists: what the account itself allows and blocks, why, until when, and how often each entry decided. */
import { Button, Tabs, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import type { ListEntryRow } from '../../../src/contract/dashboard-account.ts';
import { useGet } from '../api.ts';
import { useOpenedByCommand, useScope, useSetQuery } from '../scope.ts';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { grouped } from '../ui/format.ts';
import { IconSearch } from '../ui/icons.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { ListActionIcon } from './listing-action-icon.tsx';
import { AddEntry } from './listing-add-entry.tsx';
import { ACTIONS } from './listing-kinds.ts';
import { EntriesTable } from './lists-entries-table.tsx';
import styles from './lists-page.module.css';

type Action = ListEntryRow['action'];

const EMPTY: Readonly<Record<Action, string>> = {
  allow: 'Add partners, offices and test accounts that must always be allowed, whatever their score.',
  deny: 'Add addresses, domains and networks that attacked you before. They are blocked, whatever their score.',
};
const BOTH = ['allow', 'deny'] as const;

export function ListsPage() {
  const { api, canManage } = useScope();
  const [search] = useSearchParams();
  const setQuery = useSetQuery();
  const opened = useOpenedByCommand();
  const [adding, setAdding] = useState(BOTH.find((action) => ACTIONS[action].word.toLowerCase() === opened));
  const lists = useGet<readonly ListEntryRow[]>(api('lists'));
  const only = lists.data?.find(({ id }) => id === search.get('entry'));
  const chosen: Action = ['block', 'deny'].includes(search.get('list') ?? '') ? 'deny' : 'allow';
  const action = only?.action ?? chosen;
  const sought = search.get('value') ?? '';
  const of = (action: Action) => lists.data?.filter((entry) => entry.action === action);
  return (
    <>
      <PageHeader
        title="Lists"
        actions={
          canManage &&
          BOTH.map((action) => <AddButton key={action} action={action} onClick={() => setAdding(action)} />)
        }
      >
        Your own entries decide before any source. If several entries match, the narrowest one decides.
      </PageHeader>
      <Tabs
        value={action}
        onChange={(value) => setQuery({ list: value === 'deny' ? 'block' : undefined, entry: undefined })}
        keepMounted={false}
      >
        <div className={styles.tabs}>
          <Tabs.List>
            {BOTH.map((action) => (
              <Tabs.Tab key={action} value={action}>
                {ACTIONS[action].word}{' '}
                {lists.data && <span className="gh-faint">{grouped(of(action)?.length ?? 0)}</span>}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Search sought={sought} isOver={only !== undefined} />
        </div>
        <Tabs.Panel value={action}>
          <Card flush>
            <EntriesTable
              label={ACTIONS[action].list}
              rows={only === undefined ? matching(of(action), sought) : [only]}
              error={lists.error}
              onRetry={() => void lists.refetch()}
              empty={
                sought !== '' && (of(action)?.length ?? 0) > 0 ? (
                  <NothingFound sought={sought} />
                ) : (
                  <EmptyState
                    title={`The ${ACTIONS[action].list} is empty`}
                    action={canManage && <AddButton action={action} onClick={() => setAdding(action)} />}
                  >
                    {EMPTY[action]}
                  </EmptyState>
                )
              }
            />
          </Card>
        </Tabs.Panel>
      </Tabs>
      {adding !== undefined && <AddEntry action={adding} onClose={() => setAdding(undefined)} />}
    </>
  );
}

/** @param isOver one entry was found by the search over everything */
function Search({ sought, isOver }: { sought: string; isOver: boolean }) {
  const setQuery = useSetQuery();
  if (isOver)
    return (
      <Button variant="subtle" size="xs" onClick={() => setQuery({ entry: undefined })}>
        Show all entries
      </Button>
    );
  return (
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
  );
}

function NothingFound({ sought }: { sought: string }) {
  const setQuery = useSetQuery();
  return (
    <EmptyState
      title={`No entry contains “${sought}”`}
      action={
        <Button variant="default" onClick={() => setQuery({ value: undefined })}>
          Show all entries
        </Button>
      }
    />
  );
}

function AddButton({ action, onClick }: { action: Action; onClick: () => void }) {
  return (
    <Button variant="default" leftSection={<ListActionIcon action={action} />} onClick={onClick}>
      {ACTIONS[action].word}…
    </Button>
  );
}

function matching(entries: readonly ListEntryRow[] | undefined, sought: string) {
  const text = sought.trim().toLowerCase();
  return entries?.filter(({ value, reason }) => `${value} ${reason}`.toLowerCase().includes(text));
}
