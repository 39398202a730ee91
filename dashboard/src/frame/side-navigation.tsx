/** The navigation: icons and words, or icons alone when it is narrow. */
import type { ComponentType } from 'react';
import { Link } from 'wouter';
import { Hint } from '../ui/hint.tsx';
import * as icons from '../ui/icons.ts';
import styles from './frame.module.css';
import { preloadPage } from './page-files.ts';
import type { Current, MenuPage } from './use-current.ts';

/** Icons by the name that a row of pages.json gives. */
const ICONS: Readonly<Record<string, ComponentType<icons.IconProps>>> = icons;

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
      {current.sections.map((section) => (
        <ul key={section[0]?.menu.section}>
          {section.map((page) => (
            <li key={page.path}>
              <Item page={page} current={current} narrow={narrow} />
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
          {narrow ? (
            <icons.IconLayoutSidebarLeftExpand size={18} />
          ) : (
            <icons.IconLayoutSidebarLeftCollapse size={18} />
          )}
          {!narrow && <span>Collapse</span>}
        </button>
      )}
    </nav>
  );
}

function Item({ page, current, narrow }: { page: MenuPage; current: Current; narrow: boolean }) {
  const Icon = ICONS[page.menu.icon];
  return (
    <Hint label={narrow ? page.title : undefined} side="right">
      <Link
        href={current.href(page)}
        className={styles.item}
        onPointerEnter={() => preloadPage(page)}
        onFocus={() => preloadPage(page)}
        aria-current={current.page === page ? 'page' : undefined}
        aria-label={narrow ? page.title : undefined}
      >
        {Icon !== undefined && <Icon size={18} stroke={1.6} />}
        {!narrow && <span>{page.title}</span>}
      </Link>
    </Hint>
  );
}
