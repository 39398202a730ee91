/** The frame of every page: navigation at the left or in a drawer, a slim bar on top, the page in one column. */
import { useDisclosure, useLocalStorage } from '@mantine/hooks';
import { lazy, memo, type ReactNode, Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import type { Session } from '../../../src/contract/dashboard-account.ts';
import { UTC } from '../../../src/model/time-zone.ts';
import { useModeAndPeriod } from '../scope.ts';
import { AlertCountContext } from '../ui/alert-count.ts';
import { LOCALE } from '../ui/format.ts';
import { IconAlertTriangle } from '../ui/icons.ts';
import { PageFooter } from '../ui/page-footer.tsx';
import { printLight } from '../ui/print-light.ts';
import { useInsteadOfShell } from '../ui/shell.ts';
import { createTimes } from '../ui/times.ts';
import { TimesContext } from '../ui/use-times.ts';
import { AlertBanner, useOpenAlerts } from './alert-banner.tsx';
import styles from './frame.module.css';
import { SideNavigation } from './side-navigation.tsx';
import { TopBar } from './top-bar.tsx';
import { useCurrent } from './use-current.ts';
import { useShortcuts } from './use-shortcuts.ts';

// Rarely needed, and only after a click.
const NavigationDrawer = lazy(async () => ({
  default: (await import('./navigation-drawer.tsx')).NavigationDrawer,
}));
const FindPalette = lazy(async () => ({ default: (await import('./find-palette.tsx')).FindPalette }));
const ShortcutHelp = lazy(async () => ({ default: (await import('./shortcut-help.tsx')).ShortcutHelp }));

/** Pages that show open alerts themselves. */
const ALERT_PAGES: ReadonlySet<string> = new Set(['alerts-page', 'today-page']);

// A step from one open signup to the next changes the address alone.
const Side = memo(SideNavigation);
const Top = memo(TopBar);

export function Frame({ session, children }: { session: Session; children: ReactNode }) {
  const [drawer, setDrawer] = useDisclosure();
  const [help, setHelp] = useDisclosure();
  /** Text that the search begins with; `undefined`: it is closed. */
  const [finding, setFinding] = useState<string>();
  const find = (text = '') => setFinding(text);
  const openFind = useCallback(() => setFinding(''), []);
  const [narrow, setNarrow] = useLocalStorage({ key: 'gatehouse-narrow', defaultValue: false });
  const toggleNarrow = useCallback(() => setNarrow((before) => !before), [setNarrow]);
  const [path] = useLocation();
  const current = useCurrent(session);
  const zone = current.account?.time_zone ?? UTC;
  const times = useMemo(() => createTimes(LOCALE, zone), [zone]);
  const { mode } = useModeAndPeriod();
  useShortcuts(current, { onHelp: setHelp.toggle, onFind: find });
  useInsteadOfShell();
  useEffect(printLight, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it closes when the path changes
  useEffect(() => setDrawer.close(), [path]);
  const alerts = useOpenAlerts(current.account);
  const testing = mode === 'test' && (current.page?.uses?.includes('mode') ?? false);

  return (
    <TimesContext value={times}>
      <AlertCountContext value={alerts.length}>
        <div className={styles.shell} data-narrow={narrow || undefined} data-test={testing || undefined}>
          <a className={styles.skip} href="#content">
            Skip to content
          </a>
          <div className={styles.side}>
            <Side current={current} narrow={narrow} onNarrow={toggleNarrow} />
          </div>
          <Top
            session={session}
            current={current}
            testing={testing}
            onMenu={setDrawer.open}
            onFind={openFind}
            onHelp={setHelp.open}
          />
          <main id="content" className={styles.content} tabIndex={-1}>
            <div className={styles.column}>
              <SourceNotice session={session} />
              {!ALERT_PAGES.has(current.page?.file ?? '') && (
                <AlertBanner alerts={alerts} account={current.account} />
              )}
              {children}
            </div>
          </main>
          <PageFooter zone={zone} />
          <Suspense fallback={null}>
            {drawer && <NavigationDrawer current={current} onClose={setDrawer.close} />}
            {finding !== undefined && current.account !== undefined && (
              <FindPalette
                session={session}
                current={current}
                account={current.account.id}
                begun={finding}
                onClose={() => setFinding(undefined)}
              />
            )}
            {help && <ShortcutHelp current={current} onClose={setHelp.close} />}
          </Suspense>
        </div>
      </AlertCountContext>
    </TimesContext>
  );
}

/** Shows on every page which sources are wrong for everybody now, and what that means for signups. */
function SourceNotice({ session: { user, distrusted } }: { session: Session }) {
  return (
    <div role="status">
      {distrusted.map(({ source, message, resolution }) => (
        <p key={source} className={styles.notice}>
          <IconAlertTriangle size={16} aria-hidden />
          <span>
            {message} {user.operator ? resolution : 'The operator of this Gatehouse can fix it.'}
          </span>
        </p>
      ))}
    </div>
  );
}
