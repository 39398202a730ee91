/** The credits that data licences require on every page that shows results. */
import styles from './intelligence-page.module.css';

export function Credits() {
  return (
    <p className={styles.credits}>
      <Away to="https://db-ip.com/">IP Geolocation by DB-IP</Away>, <Licence />. AS data by{' '}
      <Away to="https://www.routeviews.org/routeviews/">RouteViews</Away>, <Licence />. Registry data by the{' '}
      <Away to="https://www.nro.net/">Number Resource Organization</Away>, <Licence />. Merged from these by{' '}
      <Away to="https://github.com/sapics/ip-location-db">ip-location-db</Away>, with changes. The licence of
      every source is in its details.
    </p>
  );
}

function Licence() {
  return <Away to="https://creativecommons.org/licenses/by/4.0/">CC BY 4.0</Away>;
}

function Away({ to, children }: { to: string; children: string }) {
  return (
    <a href={to} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}
