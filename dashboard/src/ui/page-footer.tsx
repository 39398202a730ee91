/** The footer of every page: third-party notices, and the credit that country and network data require. */
import styles from './page-layout.module.css';

export function PageFooter() {
  return (
    <footer className={styles.footer}>
      <a href="/docs">API reference</a>
      <a href="/notices">Third-party notices</a>
      <a href="https://db-ip.com/" target="_blank" rel="noreferrer">
        IP Geolocation by DB-IP
      </a>
    </footer>
  );
}
