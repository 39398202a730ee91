/** The menu of a destination. Pausing happens at once, and can be taken back for a moment. */
import { useQueryClient } from '@tanstack/react-query';
import type { DestinationChangesBody, DestinationRow } from '../../../src/contract/dashboard-destinations.ts';
import { send, useSend, withQuery } from '../api.ts';
import { useScope } from '../scope.ts';
import {
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconSend,
  IconTrash,
} from '../ui/icons.ts';
import { MeanwhileDialog } from '../ui/meanwhile-dialog.tsx';
import { RowMenu } from '../ui/row-menu.tsx';
import { useUndoToast } from '../ui/undo-toast.tsx';

export type DestinationAction = 'edit' | 'rotate' | 'test' | 'remove';

export interface DestinationMenuProps {
  readonly destination: DestinationRow;
  onChoose(action: DestinationAction): void;
}

export function DestinationMenu({ destination, onChoose }: DestinationMenuProps) {
  const { kind, name, disabled_at, disabled_reason } = destination;
  const pausing = usePause(destination);
  const isPaused = disabled_at !== null;
  const rotate = { words: 'Replace secret…', icon: IconRefresh, onChoose: () => onChoose('rotate') };
  return (
    <>
      <RowMenu
        subject={`destination ${name}`}
        width={200}
        entries={[
          { words: 'Send test message', icon: IconSend, onChoose: () => onChoose('test') },
          { words: 'Edit…', icon: IconPencil, onChoose: () => onChoose('edit') },
          ...(kind === 'webhook' ? [rotate] : []),
          isPaused
            ? { words: 'Resume', icon: IconPlayerPlay, onChoose: pausing.resume }
            : { words: 'Pause', icon: IconPlayerPause, onChoose: pausing.pause },
          {
            words: 'Remove…',
            icon: IconTrash,
            danger: true,
            apart: true,
            onChoose: () => onChoose('remove'),
          },
        ]}
      />
      <MeanwhileDialog
        error={pausing.error}
        title={`${isPaused && disabled_reason === 'person' ? 'Resume' : 'Pause'} “${name}”?`}
        verb={isPaused ? 'Resume' : 'Pause'}
        onSave={isPaused ? pausing.resume : pausing.pause}
        onYield={pausing.reset}
      />
    </>
  );
}

/** Pauses at once, and can be taken back for a moment: nothing was lost until then but what happened meanwhile. */
function usePause({ id, name, version }: DestinationRow) {
  const { api } = useScope();
  const client = useQueryClient();
  const toast = useUndoToast();
  const path = api(`destinations/${id}`);
  const change = useSend<DestinationRow, DestinationChangesBody>('PATCH', path, {
    refreshes: [api('destinations')],
    version,
    begun: version,
  });
  const set = (enabled: boolean) =>
    change.mutate(
      { enabled },
      {
        onSuccess: (saved) =>
          toast({
            text: enabled
              ? `“${name}” is told again.`
              : `“${name}” is paused. What happens meanwhile is never sent to it.`,
            async undo() {
              await send('PATCH', withQuery(path, { version: saved.version }), { enabled: !enabled });
              await client.invalidateQueries({
                predicate: ({ queryKey: [key] }) => String(key).startsWith(api('destinations')),
              });
            },
          }),
      },
    );
  return { pause: () => set(false), resume: () => set(true), error: change.error, reset: change.reset };
}
