/** Looks up a domain, an address or an IP in every source. The query is in the URL. */
import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useSearchParams } from 'wouter';
import type { SourceLookup } from '../../../src/contract/dashboard-installation.ts';
import { useGet, withQuery } from '../api.ts';
import { useSetQuery } from '../scope.ts';
import { Card } from '../ui/card.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { Claims } from './intelligence-check-claims.tsx';
import styles from './intelligence-page.module.css';

export function CheckCard() {
  const query = useSearchParams()[0].get('q') ?? '';
  const setQuery = useSetQuery();
  const [text, setText] = useState(query);
  const found = useGet<SourceLookup>(query === '' ? null : withQuery('/intelligence/check', { q: query }));
  const wrong = found.error?.param === 'q' ? `${found.error.message} ${found.error.resolution}` : undefined;
  const check = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === query) void (query !== '' && found.refetch());
    else setQuery({ q: text.trim() }, { push: true });
  };
  return (
    <Card title="Check" note="what the sources know about a domain, an email address or an IP">
      <form className={styles.check} onSubmit={check}>
        <TextInput
          aria-label="Domain, email address or IP"
          placeholder="mailinator.com, jo@example.com or 203.0.113.7"
          autoComplete="off"
          spellCheck={false}
          maxLength={320}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={wrong}
        />
        <Button type="submit" variant="default" loading={found.isFetching && found.data === undefined}>
          Check
        </Button>
      </form>
      {found.data !== undefined && <Claims lookup={found.data} />}
      {found.error !== null && wrong === undefined && (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} />
      )}
    </Card>
  );
}
