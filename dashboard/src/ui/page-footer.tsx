/** The footer of every page: whose clock its times are by, third-party notices, and the credit that country and network data require. */
import styles from './page-layout.module.css';

/** `zone`: the clock of all times on the page. */
export function PageFooter({ zone }: { zone?: string }) {
  return (
    <footer className={styles.footer}>
      {zone !== undefined && <span className={styles.zone}>Times in {zone}</span>}
      <a href="/docs">API reference</a>
      <a href="/notices">Third-party notices</a>
      <a href="https://db-ip.com/" target="_blank" rel="noreferrer">
        IP Geolocation by DB-IP
      </a>
    </footer>
  );
}
