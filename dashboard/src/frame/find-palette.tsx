/** The search over everything: an address, an IP, a name or an id is pasted, and each thing that it may mean is suggested. */
import { Button, Modal } from '@mantine/core';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import type { Session } from '../../../src/contract/dashboard-account.ts';
import { useModeAndPeriod } from '../scope.ts';
import { IconSearch } from '../ui/icons.ts';
import { useFocusBack } from '../ui/modal.tsx';
import { usePastedAddress } from '../ui/pasted-address.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import styles from './find-palette.module.css';
import { findPlaces } from './find-places.ts';
import { FindRowView } from './find-row.tsx';
import { type FindRow, toFindRows } from './find-rows.ts';
import type { Current } from './use-current.ts';
import { useFind } from './use-find.ts';

export interface FindPaletteProps {
  readonly session: Session;
  readonly current: Current;
  readonly account: string;
  /** Text that it begins with. */
  readonly begun: string;
  onClose(): void;
}

const MASKED = /\*{3}@/;

export function FindPalette({ session, current, account, begun, onClose }: FindPaletteProps) {
  const [typed, setTyped] = useTyped(begun);
  useFocusBack(true);
  const text = typed.trim();
  const { mode } = useModeAndPeriod();
  const { found, isBehind, error } = useFind(text, { account, mode });
  const { accounts, user } = session;
  const places = findPlaces(text, { current, operator: user.operator, accounts });
  const rows = toFindRows(text, found, places, { account, mode });
  const waiting = text !== '' && found === undefined && error === null;
  const list = useChosenRow(text, rows, waiting, onClose);
  const id = useId();
  return (
    <Modal.Root opened onClose={onClose} size={640} yOffset="12vh" centered={false}>
      <Modal.Overlay />
      <Modal.Content aria-label="Find anything" classNames={{ inner: styles.inner, content: styles.content }}>
        <Modal.Body className={styles.body} p={0}>
          <div className={styles.field}>
            <IconSearch size={18} aria-hidden />
            <input
              className={styles.input}
              role="combobox"
              aria-label="Find anything"
              aria-expanded={rows.length > 0}
              aria-controls={`${id}-list`}
              aria-autocomplete="list"
              aria-activedescendant={rows.length > 0 ? `${id}-${list.index}` : undefined}
              placeholder="Address, IP, domain, network, country, id…"
              data-autofocus
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              enterKeyHint="go"
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              onKeyDown={list.onKeyDown}
            />
            <Button variant="subtle" size="compact-sm" className={styles.cancel} onClick={onClose}>
              Cancel
            </Button>
          </div>
          {error !== null && <ProblemNote error={error} />}
          <MaskedHint text={text} />
          <div
            id={`${id}-list`}
            role="listbox"
            aria-label="Suggestions"
            className={styles.list}
            tabIndex={-1}
          >
            {rows.map((row, index) => (
              <FindRowView
                key={row.id}
                id={`${id}-${index}`}
                row={row}
                chosen={index === list.index}
                onPoint={() => list.choose(index)}
                onOpen={() => list.open(row)}
              />
            ))}
          </div>
          <p role="status" className={styles.status}>
            {statusOf(text, rows, waiting)}{' '}
            {isBehind && 'The newest signups are not indexed yet, and not counted.'}
          </p>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** Text of the field. Keys may come before it has the focus. */
function useTyped(begun: string) {
  const state = useState(begun);
  const [, setTyped] = state;
  useEffect(() => setTyped(begun), [begun]);
  return state;
}

function MaskedHint({ text }: { text: string }) {
  if (!MASKED.test(text)) return null;
  return (
    <p className={styles.hint}>
      Pages show addresses masked. Paste the whole address to find the signups of one mailbox.
    </p>
  );
}

function statusOf(text: string, rows: readonly FindRow[], waiting: boolean): string {
  if (waiting) return 'Searching…';
  if (text === '') return 'Addresses are never kept: not in the URL, not in a log.';
  if (rows.length === 0) return 'Nothing found.';
  return rows.length === 1 ? '1 suggestion' : `${rows.length} suggestions`;
}

/** The row that Enter opens. Enter before the answer opens the first row of the answer. */
function useChosenRow(text: string, rows: readonly FindRow[], waiting: boolean, onClose: () => void) {
  const [, navigate] = useLocation();
  const pasted = usePastedAddress();
  const [chosen, setChosen] = useState<{ text: string; id: string | undefined }>({ text: '', id: undefined });
  const entered = useRef<string>(undefined);
  // By its id: rows that arrive later would put another one at its place.
  const index =
    chosen.text === text
      ? Math.max(
          0,
          rows.findIndex(({ id }) => id === chosen.id),
        )
      : 0;
  const choose = (next: number) => setChosen({ text, id: rows[next]?.id });

  function open(row: FindRow): void {
    onClose();
    // The next form about a person is filled with it; nothing but memory keeps it.
    pasted.remember(text);
    navigate(row.href);
  }

  const latest = useRef({ text, rows, open });
  latest.current = { text, rows, open };
  useEffect(() => {
    const { text, rows, open } = latest.current;
    const [first] = rows;
    if (!waiting && entered.current === text && first !== undefined) open(first);
    if (!waiting) entered.current = undefined;
  }, [waiting]);

  function onKeyDown(event: KeyboardEvent): void {
    const step = STEPS[event.key];
    if (step !== undefined && rows.length > 0) {
      event.preventDefault();
      choose((index + step + rows.length) % rows.length);
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      const row = rows[index];
      if (waiting && index === 0) entered.current = text;
      else if (row !== undefined) open(row);
    }
  }

  return { index, choose, open, onKeyDown };
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
