/** The mark of signups that people reported: a circle for good customers, a diamond for fraud; filled where the verdict is right for them. */
import type { CSSProperties } from 'react';
import styles from './label-mark.module.css';

export interface LabelMarkProps {
  readonly kind: 'good' | 'fraud';
  readonly right?: boolean | undefined;
  /** It stands for more than one signup. */
  readonly several?: boolean | undefined;
  readonly style?: CSSProperties;
}

export function LabelMark({ kind, right = false, several = false, style }: LabelMarkProps) {
  return (
    <i
      className={styles.mark}
      data-kind={kind}
      data-right={right || undefined}
      data-several={several || undefined}
      style={style}
      aria-hidden
    />
  );
}
