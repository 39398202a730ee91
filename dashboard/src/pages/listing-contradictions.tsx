/** Names the entries that a new one replaces or contradicts, who made them and why, and says which of them decides. */
import type { ListEntryRow, ListPreview } from '../../../src/contract/dashboard-account.ts';
import { grouped } from '../ui/format.ts';
import { personName } from '../ui/person-name.ts';
import { useTimes } from '../ui/use-times.ts';
import styles from './listing-add-entry.module.css';
import { ACTIONS } from './listing-kinds.ts';

export function Contradictions({ preview }: { preview: ListPreview }) {
  const { replaces, conflicts } = preview;
  const { moment } = useTimes();
  if (replaces === null && conflicts.length === 0) return null;
  return (
    <ul className={styles.contradictions} aria-label="Other entries">
      {replaces !== null && (
        <li>
          It is already on the {ACTIONS[replaces.action].list}, <Origin entry={replaces} />,{' '}
          {replaces.expires_at === null
            ? 'with no expiry'
            : `until ${moment(replaces.expires_at, Date.now())}`}
          . The new reason and expiry replace these.
        </li>
      )}
      {conflicts.map((conflict) => (
        <li key={conflict.entry.id} data-winner={conflict.winner}>
          <Conflict conflict={conflict} value={preview.value} />
        </li>
      ))}
    </ul>
  );
}

interface ConflictProps {
  readonly conflict: ListPreview['conflicts'][number];
  /** The value of the new entry. */
  readonly value: string;
}

function Conflict({ conflict, value }: ConflictProps) {
  const { entry } = conflict;
  return (
    <>
      <strong>{entry.value === value ? 'The same value' : entry.value}</strong> is on the{' '}
      {ACTIONS[entry.action].list}, <Origin entry={entry} />. {outcomeOf(conflict, value)}
    </>
  );
}

function outcomeOf({ entry, winner, signups }: ConflictProps['conflict'], value: string): string {
  const { did } = ACTIONS[entry.action];
  const some = `${grouped(signups)} of these signups`;
  if (winner === 'existing')
    return signups === 0
      ? `That entry wins: what it matches stays ${did}.`
      : `That entry wins: ${some} ${signups === 1 ? 'stays' : 'stay'} ${did}.`;
  if (entry.value === value) return 'Allow wins: that entry no longer decides anything.';
  return signups === 0
    ? 'The new entry wins for what both match.'
    : `The new entry wins: it decides ${some} instead.`;
}

function Origin({ entry: { author, reason, created_at } }: { entry: ListEntryRow }) {
  const { moment } = useTimes();
  return (
    <>
      added by {personName(author)} on {moment(created_at, Date.now())}
      {reason !== '' && <>: “{reason}”</>}
    </>
  );
}
