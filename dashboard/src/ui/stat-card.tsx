/** One important number, its label, and its comparison; a placeholder while it loads. */
import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import styles from './page-layout.module.css';

export interface StatCardProps {
  readonly label: ReactNode;
  /** `undefined` while it loads. */
  readonly value: ReactNode | undefined;
  readonly note?: ReactNode;
  readonly icon?: ReactNode;
  /** The link to what the number counts. */
  readonly href?: string | undefined;
}

export function StatCard({ label, value, note, icon, href }: StatCardProps) {
  const content = (
    <>
      <div className={styles.statLabel}>
        {icon}
        {label}
      </div>
      <div className={styles.statValue} data-figure>
        {value === undefined ? <Skeleton height={20} width="60%" my={5} /> : value}
      </div>
      <div className={styles.statNote}>
        {value === undefined ? <Skeleton height={12} width="80%" my={3} /> : note}
      </div>
    </>
  );
  return href === undefined ? (
    <div className={styles.stat}>{content}</div>
  ) : (
    <Link href={href} className={styles.stat}>
      {content}
    </Link>
  );
}

export function StatRow({ children }: { children: ReactNode }) {
  return <div className={styles.stats}>{children}</div>;
}
