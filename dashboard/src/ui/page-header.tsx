/** The head of a page: its title, which is also the tab's title, a sentence, and the page's actions. */
import { type ReactNode, useEffect } from 'react';
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
  useEffect(() => {
    document.title = `${title} · Gatehouse`;
  }, [title]);
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
