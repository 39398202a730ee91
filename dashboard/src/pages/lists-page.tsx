/** Lists: what the account itself allows and blocks, why, until when, and how often each entry decided. */
import { Button, Tabs, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import type { ListEntryRow } from '../../../src/contract/dashboard-account.ts';
import { useGet } from '../api.ts';
import { useOpenedByCommand, useScope, useSetQuery } from '../scope.ts';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { capitalized, grouped } from '../ui/format.ts';
import { IconSearch } from '../ui/icons.ts';
import { later } from '../ui/later.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { ListActionIcon } from './listing-action-icon.tsx';
import { ACTIONS } from './listing-kinds.ts';
import { EntriesTable } from './lists-entries-table.tsx';
import styles from './lists-page.module.css';

const AddEntry = later(async () => (await import('./listing-add-entry.tsx')).AddEntry);

type Action = ListEntryRow['action'];

const EMPTY: Readonly<Record<Action, string>> = {
  allow: 'Add partners, offices and test accounts that must always be allowed, whatever their score.',
  deny: 'Add addresses, domains and networks that attacked you before. They are blocked, whatever their score.',
  office:
    'Add the domain of a company together with the IP address of its office or proxy. Bursts are not counted against these people; everything else is.',
};
/** Lists by their name in the URL. */
const LISTS = { allow: 'allow', block: 'deny', office: 'office' } as const satisfies Record<string, Action>;
const TABS = Object.entries(LISTS).map(([name, action]) => ({ name, action }));
/** Names of tabs and buttons that hold a list of them. */
const TAB_WORDS: Readonly<Record<Action, string>> = {
  allow: ACTIONS.allow.word,
  deny: ACTIONS.deny.word,
  office: 'Shared offices',
};

export function ListsPage() {
  const { api, canList } = useScope();
  const [search] = useSearchParams();
  const setQuery = useSetQuery();
  const opened = useOpenedByCommand();
  const [adding, setAdding] = useState(
    TABS.find(({ action }) => ACTIONS[action].word.toLowerCase() === opened)?.action,
  );
  const lists = useGet<readonly ListEntryRow[]>(api('lists'));
  const only = lists.data?.find(({ id }) => id === search.get('entry'));
  const named = search.get('list') ?? 'allow';
  const chosen = TABS.find(({ name, action }) => name === named || action === named)?.action ?? 'allow';
  const action = only?.action ?? chosen;
  const sought = search.get('value') ?? '';
  const of = (action: Action) => lists.data?.filter((entry) => entry.action === action);
  return (
    <>
      <PageHeader
        title="Lists"
        actions={
          canList &&
          TABS.map(({ action }) => (
            <AddButton key={action} action={action} onClick={() => setAdding(action)} />
          ))
        }
      >
        Your own entries decide before any source. If several entries match, the narrowest one decides. At a
        shared office, bursts are not counted.
      </PageHeader>
      <Tabs
        value={action}
        onChange={(value) => setQuery({ list: inQuery(value), entry: undefined })}
        keepMounted={false}
      >
        <div className={styles.tabs}>
          <Tabs.List>
            {TABS.map(({ action }) => (
              <Tabs.Tab key={action} value={action}>
                {TAB_WORDS[action]}{' '}
                {lists.data && <span className="gh-faint">{grouped(of(action)?.length ?? 0)}</span>}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Search sought={sought} isOver={only !== undefined} />
        </div>
        <Tabs.Panel value={action}>
          <Card flush>
            <EntriesTable
              label={capitalized(ACTIONS[action].list)}
              rows={only === undefined ? matching(of(action), sought) : [only]}
              error={lists.error}
              onRetry={() => void lists.refetch()}
              empty={
                sought !== '' && (of(action)?.length ?? 0) > 0 ? (
                  <NothingFound sought={sought} />
                ) : (
                  <NothingListed action={action} onAdd={() => setAdding(action)} />
                )
              }
            />
          </Card>
          <CountsNote />
        </Tabs.Panel>
      </Tabs>
      {adding !== undefined && <AddEntry action={adding} onClose={() => setAdding(undefined)} />}
    </>
  );
}

/** Says what the numbers of signups count. */
function CountsNote() {
  return (
    <p className={`gh-faint ${styles.note}`}>
      Signups: all that the entry decided since it was added, or that came from the office. Those that were
      deleted since are in this number, but no longer in the list of signups.
    </p>
  );
}

/** The name of a list in the query; the first one needs none. */
function inQuery(value: string | null): string | undefined {
  return value === 'allow' ? undefined : TABS.find(({ action }) => action === value)?.name;
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

function NothingListed({ action, onAdd }: { action: Action; onAdd: () => void }) {
  const { canList } = useScope();
  return (
    <EmptyState
      title={action === 'office' ? 'No shared offices yet' : `The ${ACTIONS[action].list} is empty`}
      action={canList && <AddButton action={action} onClick={onAdd} />}
    >
      {EMPTY[action]}
    </EmptyState>
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
