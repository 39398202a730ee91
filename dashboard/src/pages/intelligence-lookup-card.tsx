/** Looks a value up in the data of the installation. The value is in the URL. */
import { Button, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useGet, withQuery } from '../api.ts';
import { useSetQuery } from '../scope.ts';
import { Card } from '../ui/card.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import styles from './intelligence-page.module.css';

export interface LookupCardProps<Found> {
  readonly title: string;
  readonly note: string;
  /** The value's name in the URL. */
  readonly name: string;
  /** Path of the API. */
  readonly path: string;
  readonly label: string;
  readonly placeholder: string;
  readonly maxLength: number;
  readonly verb: string;
  /** Shows what was found. */
  children(found: Found): ReactNode;
}

export function LookupCard<Found>(props: LookupCardProps<Found>) {
  const { title, note, name, path, label, placeholder, maxLength, verb, children } = props;
  const sought = useSearchParams()[0].get(name) ?? '';
  const setQuery = useSetQuery();
  const [text, setText] = useState(sought);
  const found = useGet<Found>(sought === '' ? null : withQuery(path, { q: sought }));
  const wrong = found.error?.param === 'q' ? `${found.error.message} ${found.error.resolution}` : undefined;
  const lookUp = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === sought) void (sought !== '' && found.refetch());
    else setQuery({ [name]: text.trim() }, { push: true });
  };
  return (
    <Card title={title} note={note}>
      <form className={styles.check} onSubmit={lookUp}>
        <TextInput
          aria-label={label}
          placeholder={placeholder}
          autoComplete="off"
          spellCheck={false}
          maxLength={maxLength}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={wrong}
        />
        <Button type="submit" variant="default" loading={found.isFetching && found.data === undefined}>
          {verb}
        </Button>
      </form>
      {found.data !== undefined && children(found.data)}
      {found.error !== null && wrong === undefined && (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} />
      )}
    </Card>
  );
}
