/** Shows one suggestion of the search: its name, its signups of 30 days and the last verdict, and what kind of thing it is. */
import { useEffect, useRef } from 'react';
import type { FoundSignups } from '../../../src/contract/dashboard-find.ts';
import { pluralize } from '../ui/format.ts';
import { useNow } from '../ui/use-now.ts';
import { useTimes } from '../ui/use-times.ts';
import { VerdictBadge } from '../ui/verdict-badge.tsx';
import styles from './find-palette.module.css';
import type { FindRow } from './find-rows.ts';

export interface FindRowViewProps {
  readonly id: string;
  readonly row: FindRow;
  readonly chosen: boolean;
  onPoint(): void;
  onOpen(): void;
}

const KINDS: Readonly<Record<FindRow['kind'], string>> = {
  signup: 'Signup',
  mailbox: 'Mailbox',
  ip: 'IP',
  domain: 'Domain',
  network: 'Network',
  country: 'Country',
  finding: 'Finding',
  reason: 'Reason',
  session: 'Session',
  list_entry: 'List entry',
  campaign: 'Wave',
  key: 'Key',
  person: 'Person',
  page: 'Page',
  command: 'Command',
  account: 'Account',
};

export function FindRowView({ id, row, chosen, onPoint, onOpen }: FindRowViewProps) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (chosen) element.current?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  const { kind, title, note, signups } = row;
  const isPlace = kind === 'page' || kind === 'command' || kind === 'account';
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names the chosen one
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
    <div
      ref={element}
      id={id}
      role="option"
      aria-selected={chosen}
      className={styles.row}
      onMouseMove={onPoint}
      onClick={onOpen}
    >
      <span className={styles.text}>
        <span className={styles.title}>{title}</span>
        {!isPlace && note !== '' && <span className={styles.note}>{note}</span>}
      </span>
      {signups !== null && <Signups signups={signups} />}
      <span className={styles.kind}>{KINDS[kind]}</span>
    </div>
  );
}

function Signups({ signups: { count, at_least, last } }: { signups: FoundSignups }) {
  const now = useNow();
  const times = useTimes();
  if (last === null) return <span className={styles.count}>No signup</span>;
  const number = at_least ? `at least ${pluralize(count, 'signup')}` : pluralize(count, 'signup');
  return (
    <span className={styles.count}>
      <span>{count === 0 ? 'None in 30 days' : `${number} in 30 days`}</span>
      <span className={styles.last}>
        <span className="gh-dim">last {times.relative(last.at, now)}</span>
        <VerdictBadge verdict={last.verdict} observed={last.shadow} />
      </span>
    </span>
  );
}
