/** The frame of every page: navigation at the left or in a drawer, a slim bar on top, the page in one column. */
import { Drawer } from '@mantine/core';
import { useDisclosure, useLocalStorage } from '@mantine/hooks';
import { type ReactNode, useEffect } from 'react';
import { useLocation } from 'wouter';
import type { Session } from '../../../src/contract/dashboard/account.ts';
import { useModeAndPeriod } from '../scope.ts';
import styles from './frame.module.css';
import { ShortcutHelp } from './shortcut-help.tsx';
import { SideNavigation } from './side-navigation.tsx';
import { TopBar } from './top-bar.tsx';
import { useCurrent } from './use-current.ts';
import { useShortcuts } from './use-shortcuts.ts';

export function Frame({ session, children }: { session: Session; children: ReactNode }) {
  const [drawer, setDrawer] = useDisclosure();
  const [help, setHelp] = useDisclosure();
  const [narrow, setNarrow] = useLocalStorage({ key: 'gatehouse-narrow', defaultValue: false });
  const [path] = useLocation();
  const current = useCurrent(session);
  const { mode } = useModeAndPeriod();
  useShortcuts(current, setHelp.toggle);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it closes when the path changes
  useEffect(() => setDrawer.close(), [path]);
  const testing = mode === 'test' && (current.destination?.heeds.includes('mode') ?? false);

  return (
    <div className={styles.shell} data-narrow={narrow || undefined} data-test={testing || undefined}>
      <a className={styles.skip} href="#content">
        Skip to content
      </a>
      <div className={styles.side}>
        <SideNavigation current={current} narrow={narrow} onNarrow={() => setNarrow(!narrow)} />
      </div>
      <Drawer opened={drawer} onClose={setDrawer.close} size={264} title="Gatehouse" padding="xs">
        <SideNavigation current={current} narrow={false} />
      </Drawer>
      <TopBar session={session} current={current} testing={testing} onMenu={setDrawer.open} onHelp={setHelp.open} />
      <main id="content" className={styles.content} tabIndex={-1}>
        <div className={styles.column}>{children}</div>
      </main>
      <ShortcutHelp opened={help} onClose={setHelp.close} />
    </div>
  );
}
