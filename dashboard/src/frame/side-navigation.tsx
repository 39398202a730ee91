/** The navigation: icons and words, or icons alone when it is narrow. */
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { Destination } from '../navigation.ts';
import { Hint } from '../ui/hint.tsx';
import styles from './frame.module.css';
import type { Current } from './use-current.ts';

export interface SideNavigationProps {
  readonly current: Current;
  readonly narrow: boolean;
  onNarrow?(): void;
}

export function SideNavigation({ current, narrow, onNarrow }: SideNavigationProps) {
  return (
    <nav className={styles.nav} aria-label="Main">
      {onNarrow !== undefined && (
        <Link href="/" className={styles.brand} aria-label="Gatehouse, start page">
          <img src="/icon.svg" alt="" width={24} height={24} />
          {!narrow && <span>Gatehouse</span>}
        </Link>
      )}
      {current.groups.map((group) => (
        <ul key={group[0]?.id}>
          {group.map((destination) => (
            <li key={destination.id}>
              <Item destination={destination} current={current} narrow={narrow} />
            </li>
          ))}
        </ul>
      ))}
      {onNarrow !== undefined && (
        <button
          type="button"
          className={`${styles.item} ${styles.fold}`}
          onClick={onNarrow}
          aria-label={narrow ? 'Expand navigation' : 'Collapse navigation'}
        >
          {narrow ? <IconLayoutSidebarLeftExpand size={18} /> : <IconLayoutSidebarLeftCollapse size={18} />}
          {!narrow && <span>Collapse</span>}
        </button>
      )}
    </nav>
  );
}

function Item({
  destination,
  current,
  narrow,
}: {
  destination: Destination;
  current: Current;
  narrow: boolean;
}) {
  const { icon: Icon, words } = destination;
  return (
    <Hint label={narrow ? words : undefined} side="right">
      <Link
        href={current.href(destination)}
        className={styles.item}
        aria-current={current.destination === destination ? 'page' : undefined}
        aria-label={narrow ? words : undefined}
      >
        <Icon size={18} stroke={1.6} />
        {!narrow && <span>{words}</span>}
      </Link>
    </Hint>
  );
}
