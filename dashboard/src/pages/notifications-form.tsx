/** Adds a destination, or changes it: where messages go, and which events; then the secret of a new webhook, once. */
import { NativeSelect, TextInput } from '@mantine/core';
import type {
  DestinationChangesBody,
  DestinationRow,
  DestinationSecret,
  NewDestinationBody,
} from '../../../src/contract/dashboard-destinations.ts';
import {
  type DestinationKind,
  type EventType,
  type EventVerdict,
  USUAL_EVENT_TYPES,
} from '../../../src/model/event.ts';
import { useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { FormHint } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { NoteDialog } from '../ui/note-dialog.tsx';
import { SecretDialog } from '../ui/secret-dialog.tsx';
import { type FormBinding, useForm } from '../ui/use-form.ts';
import { EventChoice } from './notifications-events.tsx';
import { hourWord, KINDS, typesOf } from './notifications-words.ts';

interface Values {
  readonly kind: DestinationKind;
  readonly name: string;
  readonly url: string;
  readonly types: readonly EventType[];
  readonly verdicts: readonly EventVerdict[];
  /** Empty: no summary. */
  readonly hour: string;
}

type Recipients = readonly string[] | null;

const NEW: Values = {
  kind: 'webhook',
  name: '',
  url: '',
  types: USUAL_EVENT_TYPES,
  verdicts: ['challenge', 'block'],
  hour: '',
};
const KIND_CHOICES = Object.entries(KINDS).map(([value, label]) => ({ value, label }));
const HOURS = [
  { value: '', label: 'Never' },
  ...Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: `At ${hourWord(hour)}` })),
];
const MORNING = '8';

export function CreateDestination({ recipients, onClose }: { recipients: Recipients; onClose: () => void }) {
  const { api } = useScope();
  const change = useSend<DestinationSecret, NewDestinationBody>('POST', api('destinations'), {
    refreshes: [api('destinations')],
  });
  const form = useForm<Values, NewDestinationBody>({
    values: NEW,
    change,
    body: (values) => ({ kind: values.kind, ...bodyOf(values) }),
    onClose,
  });
  if (change.data !== undefined) return <HandOver made={change.data} onClose={onClose} />;
  const { kind } = form.values;
  const choose = (next: DestinationKind) =>
    form.set({
      kind: next,
      url: next === 'email' ? (recipients?.[0] ?? '') : '',
      hour: next === 'email' ? MORNING : '',
      types: form.values.types.filter((type) => typesOf(next).includes(type)),
    });
  return (
    <FormDialog
      form={form}
      title="Add destination"
      verb="Add destination"
      size="lg"
      disabled={kind === 'email' && !recipients?.length}
    >
      <NativeSelect
        label="Kind"
        data={KIND_CHOICES}
        data-autofocus
        value={kind}
        error={form.errorOf('kind')}
        onChange={(event) => choose(event.currentTarget.value as DestinationKind)}
      />
      <Fields form={form} recipients={recipients} />
    </FormDialog>
  );
}

export function EditDestination(props: {
  destination: DestinationRow;
  recipients: Recipients;
  onClose: () => void;
}) {
  const { destination, recipients, onClose } = props;
  const { api } = useScope();
  const { id, name, kind, address, types, verdicts, digest_hour: hour, version } = destination;
  const change = useSend<DestinationRow, DestinationChangesBody>('PATCH', api(`destinations/${id}`), {
    refreshes: [api('destinations')],
    version,
  });
  // A URL of Slack is a secret, so nobody sees the old one.
  const url = kind === 'slack' ? '' : address;
  const form = useForm<Values, DestinationChangesBody>({
    values: { kind, name, url, types, verdicts, hour: hour === null ? '' : String(hour) },
    change,
    body: (values) => {
      const { url: next, ...rest } = bodyOf(values);
      return values.url === url ? rest : { ...rest, url: next };
    },
    onDone: onClose,
    onClose,
  });
  return (
    <FormDialog form={form} title={`Edit “${name}”`} verb="Save destination" size="lg">
      <Fields form={form} recipients={recipients} isKnown />
    </FormDialog>
  );
}

function bodyOf({ kind, name, url, types, verdicts, hour }: Values): Omit<NewDestinationBody, 'kind'> {
  return {
    name: name.trim(),
    url: kind === 'email' ? `mailto:${url}` : url.trim(),
    types,
    verdicts,
    digest_hour: kind !== 'email' || hour === '' ? null : Number(hour),
  };
}

interface FieldsProps {
  readonly form: Pick<FormBinding<Values>, 'values' | 'set' | 'text' | 'errorOf'>;
  readonly recipients: Recipients;
  /** There is such a destination already. */
  readonly isKnown?: boolean;
}

function Fields({ form, recipients, isKnown = false }: FieldsProps) {
  const { kind, types, verdicts, hour } = form.values;
  return (
    <>
      <TextInput
        label="Name"
        description="Who is told: a team, a channel, a program."
        placeholder="fraud team"
        required
        maxLength={100}
        {...form.text('name')}
      />
      <PlaceField form={form} recipients={recipients} isKnown={isKnown} />
      <EventChoice
        kind={kind}
        types={types}
        verdicts={verdicts}
        error={form.errorOf('types')}
        onChange={form.set}
      />
      {kind === 'email' && (
        <NativeSelect
          label="Daily summary"
          description="What needs a person, by the clock of the account. Nothing comes on a day when nothing does."
          data={HOURS}
          value={hour}
          error={form.errorOf('digest_hour')}
          onChange={(event) => form.set({ hour: event.currentTarget.value })}
        />
      )}
    </>
  );
}

function PlaceField({ form, recipients, isKnown = false }: FieldsProps) {
  const { kind, url } = form.values;
  if (kind === 'email') return <RecipientField form={form} recipients={recipients} />;
  const isSlack = kind === 'slack';
  return (
    <TextInput
      label={isSlack ? 'Incoming webhook of Slack' : 'URL'}
      description={
        isSlack
          ? isKnown
            ? 'Leave it empty to keep the one that is stored.'
            : 'Slack shows it once. It is a secret: it is stored encrypted, and never shown again.'
          : 'HTTPS, reachable from here. Every message is signed.'
      }
      placeholder={isSlack ? 'https://hooks.slack.com/services/…' : 'https://hooks.shop.example/gatehouse'}
      type="url"
      required={!(isSlack && isKnown && url === '')}
      maxLength={2_000}
      autoComplete="off"
      spellCheck={false}
      {...form.text('url')}
    />
  );
}

function RecipientField({ form, recipients }: FieldsProps) {
  if (recipients === null)
    return (
      <FormHint>
        This installation sends no e-mail. The operator sets GATEHOUSE_SMTP_URL and GATEHOUSE_SMTP_FROM.
      </FormHint>
    );
  if (recipients.length === 0)
    return (
      <FormHint>
        E-mail goes to people of this account whose address the operator has confirmed. So far nobody’s is:
        the operator does it on the page People.
      </FormHint>
    );
  const { url } = form.values;
  return (
    <NativeSelect
      label="Address"
      description="People of this account whose address the operator has confirmed."
      data={recipients.includes(url) ? [...recipients] : [url, ...recipients]}
      value={url}
      error={form.errorOf('url')}
      onChange={(event) => form.set({ url: event.currentTarget.value })}
    />
  );
}

function HandOver({ made, onClose }: { made: DestinationSecret; onClose: () => void }) {
  const title = `“${made.destination.name}” is added`;
  if (made.secret === null)
    return (
      <NoteDialog title={title} onClose={onClose}>
        <p>Choose Send test message in its menu, to see whether it arrives.</p>
      </NoteDialog>
    );
  return (
    <SecretDialog title={title} label="Secret" secret={made.secret} onClose={onClose}>
      Your program verifies messages with this secret. Copy it now: it is not shown again, and nobody can look
      it up.
    </SecretDialog>
  );
}
