/** The bar on top: which account, live or sandbox, which period, the search, and who is signed in. */
import { ActionIcon, NativeSelect, SegmentedControl } from '@mantine/core';
import { useLocation } from 'wouter';
import type { Session } from '../../../src/contract/dashboard-account.ts';
import { isOfAccount } from '../pages.ts';
import { MODES, PERIODS, useModeAndPeriod, useSetQuery } from '../scope.ts';
import { IconMenu2 } from '../ui/icons.ts';
import { FindButton } from './find-button.tsx';
import styles from './frame.module.css';
import { PersonButton } from './person-button.tsx';
import { type Current, MENU } from './use-current.ts';

export interface TopBarProps {
  readonly session: Session;
  readonly current: Current;
  readonly testing: boolean;
  onMenu(): void;
  onFind(): void;
  onHelp(): void;
}

export function TopBar({ session, current, testing, onMenu, onFind, onHelp }: TopBarProps) {
  const { mode, period } = useModeAndPeriod();
  const setQuery = useSetQuery();
  const uses = current.page?.uses ?? [];
  return (
    <header className={styles.top}>
      <ActionIcon
        className={styles.menu}
        variant="subtle"
        size={44}
        onClick={onMenu}
        aria-label="Open navigation"
      >
        <IconMenu2 size={20} />
      </ActionIcon>
      <AccountSwitch session={session} current={current} />
      <div className={styles.controls}>
        {uses.includes('mode') && (
          <SegmentedControl
            size="xs"
            aria-label="Traffic"
            className={styles.mode}
            value={mode}
            onChange={(value) => setQuery({ mode: value === 'live' ? undefined : value })}
            data={MODES}
          />
        )}
        {uses.includes('period') && (
          <SegmentedControl
            size="xs"
            aria-label="Period"
            value={period}
            onChange={(value) => setQuery({ period: value })}
            data={Object.keys(PERIODS).map((value) => ({ value, label: value.replace(/(\d+)/, '$1 ') }))}
          />
        )}
        {testing && <span className={styles.testing}>Sandbox traffic</span>}
      </div>
      {current.account !== undefined && <FindButton onClick={onFind} />}
      <PersonButton session={session} onHelp={onHelp} />
    </header>
  );
}

function AccountSwitch({ session, current }: { session: Session; current: Current }) {
  const [, navigate] = useLocation();
  const { accounts } = session;
  if (current.account === undefined) return <span className={styles.account} />;
  if (accounts.length === 1) return <strong className={styles.account}>{current.account.name}</strong>;
  return (
    <NativeSelect
      className={styles.account}
      aria-label="Account"
      size="xs"
      value={current.account.id}
      data={accounts.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={(event) => {
        const next = accounts.find(({ id }) => id === event.currentTarget.value);
        const here = current.page;
        const first = MENU[0];
        // The same page of the other account, where that page is the account's own.
        const to = here !== undefined && isOfAccount(here) ? here : first;
        if (next !== undefined && to !== undefined) navigate(current.href(to, next));
      }}
    />
  );
}
