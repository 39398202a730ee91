/** The frame of sign-in, set-up and invitation: the name and one card. */
import { type ReactNode, useEffect } from 'react';
import { PageFooter } from '../ui/page-footer.tsx';
import { useInsteadOfShell } from '../ui/shell.ts';
import styles from './entry-frame.module.css';

export function EntryFrame({
  title,
  lead,
  children,
}: {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}) {
  useInsteadOfShell();
  useEffect(() => {
    document.title = `${title} · Gatehouse`;
  }, [title]);
  return (
    <div className={styles.page}>
      <main className={styles.card}>
        <img src="/icon.svg" alt="Gatehouse" width={36} height={36} />
        <h1>{title}</h1>
        {lead !== undefined && <p className={styles.lead}>{lead}</p>}
        {children}
      </main>
      <PageFooter />
    </div>
  );
}
