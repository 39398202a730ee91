/** Adds user ids to accounts that have none, from lines of a file that an application or a person made. */
import { Textarea } from '@mantine/core';
import type {
  TakeBackIdsBody,
  TakeBackNamed,
  TakeBackRow,
} from '../../../src/contract/dashboard-take-back.ts';
import { useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { pluralize } from '../ui/format.ts';
import { NoteDialog } from '../ui/note-dialog.tsx';
import { useForm } from '../ui/use-form.ts';

export interface AddIdsProps {
  readonly job: TakeBackRow;
  onClose(): void;
}

const ROWS = 8;
const LINE = /^\s*"?(req_\w+)"?\s*[,;\t ]\s*"?([^",;\t]+?)"?\s*$/;

export function AddIds({ job: { id, counts }, onClose }: AddIdsProps) {
  const { api } = useScope();
  const change = useSend<TakeBackNamed, TakeBackIdsBody>('POST', api(`takeback/${id}/ids`), {
    refreshes: [api('takeback')],
  });
  const form = useForm<{ readonly ids: string }, TakeBackIdsBody>({
    values: { ids: '' },
    change,
    body: ({ ids }) => {
      const read = readLines(ids);
      return read.length === 0 ? undefined : { ids: read };
    },
    onClose,
  });
  if (change.data !== undefined)
    return (
      <NoteDialog title="User ids added" onClose={onClose}>
        <p>{pluralize(change.data.named, 'account')} got a user id, and are held now.</p>
      </NoteDialog>
    );
  const { length } = readLines(form.values.ids);
  return (
    <FormDialog
      form={form}
      title="Add user ids"
      verb={`Hold ${pluralize(length, 'account')}`}
      danger
      disabled={length === 0}
    >
      <p>
        {pluralize(counts.missing, 'account')} could not be found at the provider. Take the file, look the ids
        up in your own database by request id or session id, and paste them here.
      </p>
      <Textarea
        label="Request id and user id, one pair a line"
        placeholder="req_01…,user-id"
        rows={ROWS}
        autoComplete="off"
        spellCheck={false}
        {...form.text('ids')}
      />
    </FormDialog>
  );
}

function readLines(text: string): TakeBackIdsBody['ids'] {
  return text.split('\n').flatMap((line) => {
    const [, request_id, user_id] = LINE.exec(line) ?? [];
    return request_id === undefined || user_id === undefined ? [] : [{ request_id, user_id }];
  });
}
