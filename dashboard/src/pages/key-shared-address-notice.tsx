/** Says that nearly all signups of a key or hook have one IP, whether its bursts count, and what to do about it. */
import type { SharedAddressRow } from '../../../src/contract/dashboard-account.ts';
import { useGet } from '../api.ts';
import { useScope } from '../scope.ts';
import { IconAlertCircle, IconAlertTriangle } from '../ui/icons.ts';
import { RelativeTime } from '../ui/relative-time.tsx';
import styles from './key-shared-address-notice.module.css';

const REFRESH_MS = 30_000;
const KINDS = {
  everybody: {
    icon: IconAlertCircle,
    style: styles.everybody,
    meaning:
      'It belongs to a server or proxy, so it says nothing about your visitors. Bursts from it do not count: nobody is challenged for them, and nobody who signs up many times is noticed.',
    advice: 'To tell visitors apart,',
  },
  doubtful: {
    icon: IconAlertTriangle,
    style: styles.doubtful,
    meaning:
      'This may be an attack, or a proxy that hides your visitors. From about 20 people in an hour on, signups from this IP are challenged. Nobody is blocked for that alone.',
    advice: 'If it is your proxy or server,',
  },
};

/** `owners`: only keys, or only hooks; default: both. */
export function SharedAddressNotice({ owners }: { owners?: 'key' | 'hk' }) {
  const { api } = useScope();
  const { data = [] } = useGet<readonly SharedAddressRow[]>(api('shared-addresses'), { live: REFRESH_MS });
  return (
    <div role="status">
      {data
        .filter(({ id }) => owners === undefined || id.startsWith(`${owners}_`))
        .map((row) => (
          <Notice key={row.id} row={row} />
        ))}
    </div>
  );
}

function Notice({ row: { id, name, kind, since } }: { row: SharedAddressRow }) {
  const { icon: Icon, style, meaning, advice } = KINDS[kind];
  return (
    <div className={`${styles.notice} ${style}`}>
      <Icon size={16} aria-hidden />
      <div>
        <p className={styles.title}>
          Nearly all signups of “{name}” have one IP{' '}
          <span className={styles.noticed}>
            · noticed <RelativeTime at={since} />
          </span>
        </p>
        <p>
          {meaning} {advice} {id.startsWith('hk_') ? 'let the provider send' : 'send Gatehouse'} the IP of
          each visitor.
        </p>
      </div>
    </div>
  );
}
