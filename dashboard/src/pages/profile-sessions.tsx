/** Where the person is signed in; ends one session, or all others. */
import { Button } from '@mantine/core';
import type { OpenSessions } from '../../../src/contract/dashboard-people.ts';
import { useGet, useSend } from '../api.ts';
import { ErrorState } from '../ui/error-state.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import styles from './profile-page.module.css';

const PATH = '/sessions';

export function Sessions() {
  const sessions = useGet<OpenSessions>(PATH);
  const end = useSend<unknown, string>('DELETE', (id) => `${PATH}/${id}`, { refreshes: [PATH] });
  const endOthers = useSend('DELETE', PATH, { refreshes: [PATH] });
  if (sessions.error !== null && sessions.data === undefined)
    return <ErrorState error={sessions.error} onRetry={() => void sessions.refetch()} />;
  const rows = sessions.data?.sessions ?? [];
  return (
    <>
      <ul className={styles.sessions}>
        {rows.map(({ id, current, device, network, seen_at }) => (
          <li key={id}>
            <div>
              <p>
                {device}
                {current && <span className={styles.current}>this session</span>}
              </p>
              <p className="gh-dim">
                {network !== '' && <span className="gh-mono">{network}</span>}
                {network !== '' && ' · '}last used <RelativeTime at={seen_at} />
              </p>
            </div>
            {!current && (
              <Button
                variant="default"
                size="xs"
                className={styles.end}
                aria-label={`End the session of ${device}, ${network}`}
                loading={end.isPending && end.variables === id}
                onClick={() => end.mutate(id)}
              >
                End
              </Button>
            )}
          </li>
        ))}
      </ul>
      <p className={styles.lead}>
        If you end a session, that browser is signed out at once. A session also ends after 7 days without
        use, and 30 days after you signed in.
      </p>
      {rows.length > 1 && (
        <Button variant="default" loading={endOthers.isPending} onClick={() => endOthers.mutate()}>
          End all other sessions
        </Button>
      )}
      <ProblemNote error={end.error ?? endOthers.error} />
    </>
  );
}
