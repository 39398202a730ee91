/** Shows who added and changed an entry of a list. */
import type { AuditRow, ListEntryRow } from '../../../src/contract/dashboard-account.ts';
import { useGet } from '../api.ts';
import { useScope } from '../scope.ts';
import { NoteDialog } from '../ui/note-dialog.tsx';
import { personName } from '../ui/person-name.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import styles from './lists-page.module.css';

const WORDS: Readonly<Record<string, string>> = {
  'list.allow': 'Added to Allow list',
  'list.deny': 'Added to Block list',
  'list.office': 'Added to shared offices',
  'list.remove': 'Removed from list',
};

export function EntryHistory({ entry, onClose }: { entry: ListEntryRow; onClose: () => void }) {
  const { api } = useScope();
  const changes = useGet<readonly AuditRow[]>(api(`lists/${entry.id}/history`));
  return (
    <NoteDialog title={`History of ${entry.value}`} onClose={onClose}>
      {changes.error === null ? <Changes rows={changes.data} /> : <ProblemNote error={changes.error} />}
    </NoteDialog>
  );
}

function Changes({ rows }: { rows: readonly AuditRow[] | undefined }) {
  if (rows === undefined) return <p aria-busy>…</p>;
  if (rows.length === 0) return <p>The audit log has no changes of this entry: its history was erased.</p>;
  return (
    <ol className={styles.history} aria-label="Changes, newest first">
      {rows.map(({ at, by, action, detail }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: several changes may have the same time
        <li key={`${at} ${index}`}>
          <span>
            {WORDS[action]}
            {detail !== '' && <span className="gh-faint"> · {detail}</span>}
          </span>
          <span className="gh-dim">
            {personName(by)} · <RelativeTime at={at} />
          </span>
        </li>
      ))}
    </ol>
  );
}
