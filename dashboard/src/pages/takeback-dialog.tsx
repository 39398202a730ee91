/** Says what taking back accounts will do, before it begins: whom it holds, who has no user id, and who is left out. */
import { Checkbox, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import type {
  ConnectionRow,
  ConnectionsPage,
  TakeBackChoice,
  TakeBackPreview,
  TakeBackRow,
} from '../../../src/contract/dashboard-take-back.ts';
import { type ApiProblem, send, useGet, useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { FormHint } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { duration, grouped, pluralize } from '../ui/format.ts';
import { useForm } from '../ui/use-form.ts';
import { PROVIDERS } from './takeback-words.ts';

export interface TakeBackDialogProps {
  /** Signups that were let in, among these. */
  readonly choice: Pick<TakeBackChoice, 'filter' | 'request_ids'>;
  onClose(): void;
}

const LIST_ONLY = '';

export function TakeBackDialog({ choice, onClose }: TakeBackDialogProps) {
  const { api } = useScope();
  const found = useGet<ConnectionsPage>(api('connections'));
  if (found.data === undefined) return null;
  return <Dialog choice={choice} connections={found.data.connections} onClose={onClose} />;
}

function Dialog({
  choice,
  connections,
  onClose,
}: TakeBackDialogProps & { readonly connections: readonly ConnectionRow[] }) {
  const { api, page } = useScope();
  const [, navigate] = useLocation();
  const change = useSend<TakeBackRow, TakeBackChoice>('POST', api('takeback'), {
    refreshes: [api('takeback'), api('attacks')],
    onSaved: ({ id }) => navigate(page(`takeback/${id}`)),
  });
  const form = useForm({
    values: { connection: connections[0]?.id ?? LIST_ONLY, good: false },
    change,
    body: () => (preview.data === undefined ? undefined : { ...request, until: preview.data.until }),
    onDone: onClose,
    onClose,
  });
  const { connection: id, good } = form.values;
  const request: TakeBackChoice = {
    ...choice,
    connection_id: id === LIST_ONLY ? null : id,
    include_good: good,
  };
  const path = api('takeback/preview');
  const preview = useQuery<TakeBackPreview, ApiProblem>({
    queryKey: [path, request],
    queryFn: ({ signal }) => send<TakeBackPreview>('POST', path, request, signal),
    staleTime: 60_000,
  });
  const connection = connections.find((each) => each.id === id);
  return (
    <FormDialog
      form={form}
      title="Take back who got in"
      verb={verbOf(preview.data, connection)}
      danger={connection !== undefined}
      disabled={preview.data === undefined || preview.data.total === 0}
    >
      <NativeSelect
        label="Where"
        value={id}
        data={[
          ...connections.map(({ id: value, name, kind }) => ({
            value,
            label: `Hold at ${name} (${PROVIDERS[kind]})`,
          })),
          { value: LIST_ONLY, label: 'Nowhere: only list them' },
        ]}
        error={form.errorOf('connection_id')}
        onChange={(event) => form.set({ connection: event.currentTarget.value })}
      />
      {connections.length === 0 && <NoConnection />}
      {preview.error !== null && <p role="alert">{preview.error.message}</p>}
      {preview.data === undefined && preview.error === null && <p aria-busy="true">Counting who got in…</p>}
      {preview.data !== undefined && <Effect preview={preview.data} connection={connection} />}
      {preview.data !== undefined && preview.data.good > 0 && (
        <GoodOnes preview={preview.data} checked={good} onChange={(next) => form.set({ good: next })} />
      )}
    </FormDialog>
  );
}

function verbOf(preview: TakeBackPreview | undefined, connection: ConnectionRow | undefined): string {
  if (connection === undefined) return 'List them';
  if (preview === undefined) return 'Hold them';
  const { known, total } = preview;
  return known === 0 ? `List ${pluralize(total, 'account')}` : `Hold ${pluralize(known, 'account')}`;
}

function NoConnection() {
  const { page, canManage } = useScope();
  return (
    <FormHint>
      No provider is connected, so nobody can be held from here.{' '}
      {canManage ? (
        <Link href={page('takeback')}>Connect one on the page Take back.</Link>
      ) : (
        'An owner connects one on the page Take back.'
      )}
    </FormHint>
  );
}

interface EffectProps {
  readonly preview: TakeBackPreview;
  readonly connection: ConnectionRow | undefined;
}

function Effect({ preview: { total, partial, known, fraud }, connection }: EffectProps) {
  const more = partial ? 'These are the newest of more: take back the rest afterwards. ' : '';
  if (total === 0) return <p>None of them was let in.</p>;
  if (connection === undefined)
    return (
      <p>
        {pluralize(total, 'account')} of people who got in. {more}You get them as a file, with the request id
        and session id of each. Webhooks with the event takeback.accounts get the same list. No account is
        held.
      </p>
    );
  const gotIn = `${pluralize(total, 'person', 'people')} got in, ${grouped(fraud)} of them labelled fraud.`;
  if (known === 0)
    return (
      <p>
        {gotIn} None of their user ids is known, so no account can be held yet. You get a list with request id
        and session id of each, and add the user ids there. {more}
      </p>
    );
  const seconds = Math.max(1, Math.ceil(known / connection.per_second));
  return (
    <>
      <p>
        {gotIn} {grouped(known)} have a user id: their accounts are held at {connection.name}, so that nobody
        can sign in with them. {more}
      </p>
      {known < total && (
        <p>
          {grouped(total - known)} have no user id. They stay in the list, with request id and session id, and
          you can add their ids there.
        </p>
      )}
      <p>
        At most {connection.per_second} a second, {duration(seconds)} or longer. You can cancel it, and undo
        it for 30 days.
      </p>
    </>
  );
}

interface GoodOnesProps {
  readonly preview: TakeBackPreview;
  readonly checked: boolean;
  onChange(checked: boolean): void;
}

function GoodOnes({ preview: { good, good_signups: some }, checked, onChange }: GoodOnesProps) {
  const names = some.map(({ email }) => email).join(', ');
  return (
    <Checkbox
      label={`Also ${pluralize(good, 'person', 'people')} reported as good customers`}
      description={`${names}${good > some.length ? ', …' : ''}`}
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
