/** Says that nearly all signups of a key or hook have one IP: a proxy's or a server's, unless it is an attack. */
import type { SharedAddressRow } from '../../../src/contract/dashboard-account.ts';
import { useGet } from '../api.ts';
import { useScope } from '../scope.ts';
import { RelativeTime } from '../ui/relative-time.tsx';
import styles from '../ui/states.module.css';

/** How often a page looks again. */
const REFRESH_MS = 30_000;
const MEANINGS = {
  everybody:
    'It is the IP of a proxy or of your own server, not of visitors. Until this is fixed, bursts from it do not count.',
  doubtful:
    'Other IPs came before, so this may be an attack. If a new proxy is in front of your application, tell Gatehouse the visitor’s IP.',
};

/** `kind`: which ids it shows; default: all of the account. */
export function SharedAddressNotice({ kind }: { kind?: 'key' | 'hk' }) {
  const { api } = useScope();
  const { data = [] } = useGet<readonly SharedAddressRow[]>(api('shared-addresses'), { live: REFRESH_MS });
  const shown = data.filter(({ id }) => kind === undefined || id.startsWith(`${kind}_`));
  return (
    <div role="status">
      {shown.map(({ id, name, kind, since }) => (
        <div key={id} className={styles.indexing}>
          <p>
            <strong>Nearly all signups of “{name}” have one IP</strong>, since <RelativeTime at={since} />.{' '}
            {MEANINGS[kind]}
          </p>
        </div>
      ))}
    </div>
  );
}
