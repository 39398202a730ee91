/** Shows an email address: where a cell wraps, it breaks only after the @, and a part that is too long is cut. */
import styles from './text.module.css';

export function EmailText({ email }: { email: string }) {
  const domainStart = email.lastIndexOf('@') + 1;
  return (
    <>
      <span className={styles.emailPart}>{email.slice(0, domainStart)}</span>
      <span className={styles.emailPart}>{email.slice(domainStart)}</span>
    </>
  );
}
