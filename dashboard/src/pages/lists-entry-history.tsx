/** Shows who added and changed an entry of a list, and erases that. */
import type { AuditRow, ListEntryRow } from '../../../src/contract/dashboard-account.ts';
import { useGet, useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { ChangeDialog } from '../ui/change-dialog.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import styles from './lists-page.module.css';

const WORDS: Readonly<Record<string, string>> = {
  'list.allow': 'Added to Allow list',
  'list.deny': 'Added to Block list',
  'list.remove': 'Removed from list',
};

export function EntryHistory({ entry, onClose }: { entry: ListEntryRow; onClose: () => void }) {
  const { api } = useScope();
  const path = api(`lists/${entry.id}/history`);
  const changes = useGet<readonly AuditRow[]>(path);
  const erase = useSend('DELETE', path, { refreshes: [path, api('audit')] });
  return (
    <ChangeDialog
      change={erase}
      body={undefined}
      title={`History of ${entry.value}`}
      verb="Erase history"
      danger
      error={erase.error ?? changes.error}
      onClose={onClose}
    >
      <Changes rows={changes.data} />
      <p>
        This removes the value and the reasons from the audit log. The log still shows who changed the lists,
        and when. The entry stays on its list. This cannot be undone.
      </p>
    </ChangeDialog>
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
            {by} · <RelativeTime at={at} />
          </span>
        </li>
      ))}
    </ol>
  );
}
