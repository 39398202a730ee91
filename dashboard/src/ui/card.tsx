/** A surface with a heading: one question and its answer. */
import { type ReactNode, useId } from 'react';
import styles from './page-layout.module.css';

export interface CardProps {
  readonly title?: string;
  /** Note beside the title, in grey. */
  readonly note?: ReactNode;
  readonly actions?: ReactNode;
  /** No padding, for tables. */
  readonly flush?: boolean;
  readonly children: ReactNode;
}

export function Card({ title, note, actions, flush = false, children }: CardProps) {
  const id = useId();
  return (
    <section className={styles.card} aria-labelledby={title === undefined ? undefined : id}>
      {title !== undefined && (
        <div className={styles.cardHead}>
          <h2 id={id}>{title}</h2>
          {note !== undefined && <span className={styles.note}>{note}</span>}
          {actions !== undefined && <div className={styles.cardActions}>{actions}</div>}
        </div>
      )}
      <div className={flush ? undefined : styles.cardBody}>{children}</div>
    </section>
  );
}
