/** Personal data: the stored data of one person in the account, to export or to erase it. */
import { useState } from 'react';
import type { FoundPerson, PersonCounts } from '../../../src/contract/dashboard-privacy.ts';
import { useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { EraseDialog } from './privacy-erase.tsx';
import { FoundCard } from './privacy-found.tsx';
import styles from './privacy-page.module.css';
import { type PersonBody, SearchForm } from './privacy-search.tsx';
import { countWords, stayingWords } from './privacy-words.ts';

export function PersonalDataPage() {
  const { account, canManage } = useScope();
  if (canManage) return <PersonalData />;
  return (
    <>
      <PageHeader title="Personal data" />
      <EmptyState title="Only owners handle requests for personal data">
        Ask an owner of {account.name}.
      </EmptyState>
    </>
  );
}

function PersonalData() {
  const { account, api } = useScope();
  const search = useSend<FoundPerson, PersonBody>('POST', api('privacy/search'));
  const erase = useSend<PersonCounts, PersonBody>('POST', api('privacy/erase'), { refreshes: [api('')] });
  const [shown, setShown] = useState<'found' | 'dialog' | 'erased'>('found');
  const { data: counts, variables: person } = search;
  const isFound = counts !== undefined && person !== undefined;
  return (
    <>
      <PageHeader title="Personal data">
        When somebody asks {account.name} to see or erase their data, find their signups here.
      </PageHeader>
      <div className={styles.column}>
        <Card title="Find a person">
          <SearchForm search={search} onSearch={() => setShown('found')} />
        </Card>
        {shown === 'erased' && erase.data !== undefined && (
          <Card title="Erased">
            <p role="status">
              {countWords(erase.data)} erased. Backups still have them: keep a copy of{' '}
              <code>erasures.jsonl</code> beside your backups. {stayingWords(erase.data)}
            </p>
          </Card>
        )}
        {shown !== 'erased' && isFound && (
          <FoundCard person={person} counts={counts} onErase={() => setShown('dialog')} />
        )}
      </div>
      {shown === 'dialog' && isFound && (
        <EraseDialog
          person={person}
          counts={counts}
          erase={erase}
          onErased={() => setShown('erased')}
          onClose={() => setShown('found')}
        />
      )}
    </>
  );
}
