/** Asks before a change with consequences is sent, and stays open until it has succeeded or failed. */
import { ConfirmDialog, type ConfirmDialogProps } from './confirm-dialog.tsx';
import { type Change, useSending } from './use-sending.ts';

export interface ChangeDialogProps<Body> extends Omit<ConfirmDialogProps, 'busy' | 'onConfirm'> {
  readonly change: Change<Body>;
  /** Body that is sent. */
  readonly body: Body;
  /** Called after it has succeeded; without it, the dialog closes. */
  onDone?(): void;
}

export function ChangeDialog<Body>(props: ChangeDialogProps<Body>) {
  const { change, body, onClose, onDone = onClose, ...dialog } = props;
  const { send, close } = useSending(change, onClose);
  return (
    <ConfirmDialog
      error={change.error}
      {...dialog}
      busy={change.isPending}
      onConfirm={() => send(body, onDone)}
      onClose={close}
    />
  );
}
