/** The head of a page: its title, which is also the tab's title after the number of open alerts, a sentence, and the page's actions. */
import { type ReactNode, useContext, useEffect } from 'react';
import { AlertCountContext } from './alert-count.ts';
import styles from './page-layout.module.css';

export function PageHeader({
  title,
  children,
  actions,
}: {
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
}) {
  const count = useContext(AlertCountContext);
  useEffect(() => {
    document.title = `${count === 0 ? '' : `(${count}) `}${title} · Gatehouse`;
  }, [title, count]);
  return (
    <header className={styles.header}>
      <div>
        <h1>{title}</h1>
        {children !== undefined && <p className={styles.lead}>{children}</p>}
      </div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </header>
  );
}
