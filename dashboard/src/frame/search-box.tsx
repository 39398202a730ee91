/** Finds assessments by what a person types: a request id, an IP or block, an AS number, a domain or address, a session. */
import { ActionIcon, Kbd, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { accountHref, scopeQuery, useModeAndPeriod } from '../scope.ts';
import { IconSearch } from '../ui/icons.ts';
import styles from './frame.module.css';
import { SEARCH_ID } from './use-shortcuts.ts';
import { whatIsSought } from './what-is-sought.ts';

export function SearchBox({ account }: { account: string }) {
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  const [, navigate] = useLocation();
  const { mode } = useModeAndPeriod();
  const search = (event: FormEvent) => {
    event.preventDefault();
    const sought = whatIsSought(text);
    if (sought === undefined) return;
    setText('');
    setOpen(false);
    (document.activeElement as HTMLElement | null)?.blur();
    // A search covers all time.
    navigate(accountHref(account, sought.page, { ...scopeQuery(mode, '7d'), ...sought.query }));
  };
  return (
    <search className={styles.search} data-open={open || undefined}>
      <ActionIcon
        className={styles.searchOpen}
        variant="subtle"
        size={44}
        aria-label="Search"
        onClick={() => {
          setOpen(!open);
          setTimeout(() => document.getElementById(SEARCH_ID)?.focus());
        }}
      >
        <IconSearch size={18} />
      </ActionIcon>
      <form onSubmit={search} className={styles.searchForm}>
        <TextInput
          id={SEARCH_ID}
          size="xs"
          type="search"
          aria-label="Search signups"
          placeholder="Request id, IP, domain, AS…"
          autoComplete="off"
          spellCheck={false}
          leftSection={<IconSearch size={14} />}
          rightSection={<Kbd size="xs">/</Kbd>}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.currentTarget.blur();
            setOpen(false);
          }}
        />
      </form>
    </search>
  );
}
