/** Looks up a mail host for operators: its data, and whether it is flagged. The host is kept in the URL. */
import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useSearchParams } from 'wouter';
import type { MailHostReport } from '../../../src/contract/dashboard-installation.ts';
import { useGet, withQuery } from '../api.ts';
import { useSetQuery } from '../scope.ts';
import { Card } from '../ui/card.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { HostView } from './intelligence-host-view.tsx';
import styles from './intelligence-page.module.css';

export function HostCard() {
  const host = useSearchParams()[0].get('host') ?? '';
  const setQuery = useSetQuery();
  const [text, setText] = useState(host);
  const found = useGet<MailHostReport>(host === '' ? null : withQuery('/intelligence/host', { q: host }));
  const wrong = found.error?.param === 'q' ? `${found.error.message} ${found.error.resolution}` : undefined;
  const lookUp = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === host) void (host !== '' && found.refetch());
    else setQuery({ host: text.trim() }, { push: true });
  };
  return (
    <Card title="Mail hosts" note="data about a mail host, and whether its domains are challenged">
      <form className={styles.check} onSubmit={lookUp}>
        <TextInput
          aria-label="Mail host or IP address"
          placeholder="mx.example.net or 203.0.113.7"
          autoComplete="off"
          spellCheck={false}
          maxLength={255}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={wrong}
        />
        <Button type="submit" variant="default" loading={found.isFetching && found.data === undefined}>
          Look up
        </Button>
      </form>
      {found.data !== undefined && <HostView report={found.data} />}
      {found.error !== null && wrong === undefined && (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} />
      )}
    </Card>
  );
}
