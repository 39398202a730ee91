/** Asks what becomes of a change that was sent without a dialog, and refused because of somebody else's. */
import { ConfirmDialog } from './confirm-dialog.tsx';
import { meanwhileOf } from './meanwhile-note.tsx';

export interface MeanwhileDialogProps {
  /** Error of the change; the dialog is open while it is such a refusal. */
  readonly error: Error | null;
  readonly title: string;
  /** The verb and its object: `Confirm fraud`. */
  readonly verb: string;
  /** Sends it again, against what others made. */
  onSave(): void;
  onYield(): void;
}

export function MeanwhileDialog({ error, title, verb, onSave, onYield }: MeanwhileDialogProps) {
  if (meanwhileOf(error) === undefined) return null;
  return (
    <ConfirmDialog title={title} verb={verb} error={error} onConfirm={onSave} onClose={onYield}>
      {null}
    </ConfirmDialog>
  );
}
