/** Takes a change of the audit log back, and shows which were. */
import { Button } from '@mantine/core';
import type { AuditLogRow } from '../../../src/contract/dashboard-account.ts';
import { useSend } from '../api.ts';
import { ChangeDialog } from '../ui/change-dialog.tsx';
import { actionsColumn, type Column } from '../ui/data-table.tsx';
import { personName } from '../ui/person-name.ts';
import { RelativeTime } from '../ui/relative-time.tsx';
import { actionWords } from './audit-action-words.ts';
import styles from './audit-page.module.css';

const UNDO_OF = /\(undo of #(\d+)\)$/;

export function undoColumn(onUndo: (row: AuditLogRow) => void): Column<AuditLogRow> {
  return actionsColumn(96, (row) =>
    row.can_undo && row.undone_by === null ? (
      <Button
        size="compact-xs"
        variant="default"
        aria-label={`Undo: ${actionWords(row.action)}, ${row.target}`}
        onClick={() => onUndo(row)}
      >
        Undo…
      </Button>
    ) : null,
  );
}

/** Says which entry this one took back, or the name of the person who took this one back. */
export function Undone({ row }: { row: AuditLogRow }) {
  const undone = UNDO_OF.exec(row.by)?.[1];
  return (
    <>
      {undone !== undefined && <span className={styles.undone}>Undo of entry #{undone}</span>}
      {row.undone_by !== null && (
        <span className={styles.undone}>
          Entry #{row.id}, undone by {personName(row.undone_by)}
        </span>
      )}
    </>
  );
}

export interface UndoDialogProps {
  /** The log, in the API. */
  readonly path: string;
  readonly row: AuditLogRow;
  onClose(): void;
}

export function UndoDialog({ path, row, onClose }: UndoDialogProps) {
  const refreshes = [path.replace(/audit$/, ''), '/operator/people', '/operator/accounts'];
  const undo = useSend<undefined, { id: number }>('POST', `${path}/undo`, { refreshes });
  return (
    <ChangeDialog
      change={undo}
      body={{ id: row.id }}
      title="Undo this change?"
      verb="Undo change"
      onClose={onClose}
    >
      <p>
        <strong>{actionWords(row.action)}</strong>: {row.target}
        {row.detail !== '' && ` (${row.detail})`}, by {personName(row.by)}, <RelativeTime at={row.at} />.
      </p>
      <p>
        This restores what was there before. If somebody changed it since, nothing happens, and you see who
        did. The undo is an entry of this log, too. Past signups do not change.
      </p>
    </ChangeDialog>
  );
}
