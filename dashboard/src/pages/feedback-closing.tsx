/** Below the queue, while mistakes are chosen: closes them, with a reason for the audit log, or opens them again. */
import { Button, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { MistakeState, MistakesChanged } from '../../../src/contract/dashboard-mistakes.ts';
import { send, useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { pluralize } from '../ui/format.ts';
import { IconX } from '../ui/icons.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useUndoToast } from '../ui/undo-toast.tsx';
import styles from './feedback-page.module.css';
import type { MistakeSelection } from './feedback-selection.ts';

interface StateBody {
  readonly state: MistakeState;
  readonly reports: readonly { readonly request_id: string; readonly at: string }[];
  readonly reason?: string;
}

export interface ClosingProps {
  readonly selection: MistakeSelection;
  /** State of those that are chosen. */
  readonly state: MistakeState;
}

export function Closing({ selection, state }: ClosingProps) {
  const { api } = useScope();
  const client = useQueryClient();
  const toast = useUndoToast();
  const [reason, setReason] = useState('');
  const path = api('feedback');
  const change = useSend<MistakesChanged, StateBody>('POST', `${path}/state`, { refreshes: [path] });
  const isOpen = state === 'open';
  const submit = () =>
    change.mutate(
      {
        state: isOpen ? 'done' : 'open',
        reports: selection.rows.map(({ request_id, mark }) => ({ request_id, at: mark.at })),
        ...(reason.trim() !== '' && { reason: reason.trim() }),
      },
      {
        onSuccess({ changed, unchanged, undo }) {
          selection.clear();
          setReason('');
          if (undo === null) return;
          toast({
            text: `Closed ${pluralize(changed, 'mistake')}.${unchanged === 0 ? '' : ` ${unchanged} changed meanwhile.`}`,
            async undo() {
              await send('POST', api('undo'), { token: undo });
              await client.invalidateQueries({ predicate: ({ queryKey: [key] }) => key === path });
            },
          });
        },
      },
    );
  return (
    <section className={styles.bar} aria-label="Selected mistakes">
      <strong aria-live="polite">{pluralize(selection.rows.length, 'mistake')} selected</strong>
      <div className={styles.closing}>
        {isOpen && (
          <TextInput
            size="xs"
            aria-label="Reason"
            placeholder="Reason, for the audit log (optional)"
            maxLength={200}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        )}
        <Button size="xs" loading={change.isPending} onClick={submit}>
          {isOpen ? 'Close' : 'Open again'}
        </Button>
        <Button variant="subtle" size="xs" leftSection={<IconX size={14} />} onClick={selection.clear}>
          Clear
        </Button>
      </div>
      <ProblemNote error={change.error} />
    </section>
  );
}
