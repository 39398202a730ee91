/** Says on every page which sources are wrong for everybody at the moment, and what that means for signups. */
import { IconAlertTriangle } from '@tabler/icons-react';
import type { Session } from '../../../src/contract/dashboard-account.ts';
import styles from './frame.module.css';

export function SourceNotice({ session: { user, distrusted } }: { session: Session }) {
  return (
    <div role="status">
      {distrusted.map(({ source, message, resolution }) => (
        <p key={source} className={styles.notice}>
          <IconAlertTriangle size={16} aria-hidden />
          <span>
            {message} {user.operator ? resolution : 'The people who run this Gatehouse can fix it.'}
          </span>
        </p>
      ))}
    </div>
  );
}
