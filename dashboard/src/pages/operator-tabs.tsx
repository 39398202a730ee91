/** The pages of the operator: accounts, everybody, and what operators changed. */
import { Link, useLocation } from 'wouter';
import { PAGES } from '../pages.ts';
import styles from './operator-tabs.module.css';

const TABS = PAGES.filter(({ tab }) => tab !== undefined);

export function OperatorTabs() {
  const [here] = useLocation();
  return (
    <nav className={styles.tabs} aria-label="Installation">
      {TABS.map(({ path, tab }) => (
        <Link key={path} href={path} aria-current={here === path ? 'page' : undefined}>
          {tab}
        </Link>
      ))}
    </nav>
  );
}
