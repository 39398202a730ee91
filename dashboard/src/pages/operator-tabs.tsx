/** The pages of the operator: accounts, everybody, and what operators changed. */
import { Link, useLocation } from 'wouter';
import styles from './operator-tabs.module.css';

const TABS = [
  { path: '/operator', words: 'Accounts' },
  { path: '/operator/people', words: 'People and invitations' },
  { path: '/operator/audit', words: 'Audit log' },
] as const;

export function OperatorTabs() {
  const [here] = useLocation();
  return (
    <nav className={styles.tabs} aria-label="Installation">
      {TABS.map(({ path, words }) => (
        <Link key={path} href={path} aria-current={here === path ? 'page' : undefined}>
          {words}
        </Link>
      ))}
    </nav>
  );
}
