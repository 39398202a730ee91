/** Connects the admin API of a provider, or changes the connection. */
import { Checkbox, NativeSelect, PasswordInput, TextInput } from '@mantine/core';
import type {
  ConnectionChangesBody,
  ConnectionRow,
  NewConnectionBody,
} from '../../../src/contract/dashboard-take-back.ts';
import type { ProviderKind } from '../../../src/model/account-provider.ts';
import { useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { NoteDialog } from '../ui/note-dialog.tsx';
import { type FormBinding, useForm } from '../ui/use-form.ts';
import { PROVIDERS } from './takeback-words.ts';

interface Values {
  readonly kind: ProviderKind;
  readonly name: string;
  readonly url: string;
  readonly secret: string;
  readonly client_id: string;
  readonly realm: string;
  readonly per_second: string;
  readonly session_is_user: boolean;
}

const NEW: Values = {
  kind: 'better-auth',
  name: '',
  url: '',
  secret: '',
  client_id: '',
  realm: '',
  per_second: '10',
  session_is_user: false,
};
const KINDS = Object.entries(PROVIDERS).map(([value, label]) => ({ value, label }));

/** The form of each provider's URL, and what its secret is. */
const PLACES: Readonly<Record<ProviderKind, { readonly url: string; readonly secret: string }>> = {
  'better-auth': { url: 'https://shop.example/api/auth', secret: 'A new whsec_…, the same as in the plugin' },
  kratos: {
    url: 'https://kratos.example',
    secret: 'API key, or the token of the proxy before the admin API',
  },
  supabase: { url: 'https://project.supabase.co', secret: 'Secret key (service role)' },
  auth0: { url: 'https://tenant.eu.auth0.com', secret: 'Client secret of a machine-to-machine application' },
  keycloak: { url: 'https://keycloak.example', secret: 'Client secret of a client with a service account' },
};

export function CreateConnection({ onClose }: { onClose: () => void }) {
  const { api } = useScope();
  const change = useSend<ConnectionRow, NewConnectionBody>('POST', api('connections'), {
    refreshes: [api('connections')],
  });
  const form = useForm<Values, NewConnectionBody>({
    values: NEW,
    change,
    body: ({ kind, secret, ...values }) => ({ kind, secret, ...bodyOf({ kind, ...values }) }),
    onClose,
  });
  if (change.data !== undefined)
    return (
      <NoteDialog title={`“${change.data.name}” is connected`} onClose={onClose}>
        <p>Choose Try it in its menu, to see whether it accepts the secret.</p>
      </NoteDialog>
    );
  return (
    <FormDialog form={form} title="Connect a provider" verb="Connect provider" size="lg">
      <NativeSelect
        label="Kind"
        data={KINDS}
        data-autofocus
        value={form.values.kind}
        error={form.errorOf('kind')}
        onChange={(event) => form.set({ kind: event.currentTarget.value as ProviderKind })}
      />
      <Fields form={form} />
    </FormDialog>
  );
}

export function EditConnection({ connection, onClose }: { connection: ConnectionRow; onClose: () => void }) {
  const { api } = useScope();
  const { id, kind, name, url, client_id, realm, per_second, session_is_user, version } = connection;
  const change = useSend<ConnectionRow, ConnectionChangesBody>('PATCH', api(`connections/${id}`), {
    refreshes: [api('connections')],
    version,
  });
  const form = useForm<Values, ConnectionChangesBody>({
    values: {
      kind,
      name,
      url,
      secret: '',
      client_id: client_id ?? '',
      realm: realm ?? '',
      per_second: String(per_second),
      session_is_user,
    },
    change,
    body: ({ secret, ...values }) => ({ ...bodyOf(values), ...(secret === '' ? {} : { secret }) }),
    onDone: onClose,
    onClose,
  });
  return (
    <FormDialog form={form} title={`Edit “${name}”`} verb="Save provider" size="lg">
      <Fields form={form} isKnown />
    </FormDialog>
  );
}

function bodyOf({ kind, name, url, client_id, realm, per_second, session_is_user }: Omit<Values, 'secret'>) {
  return {
    name: name.trim(),
    url: url.trim(),
    client_id: hasClient(kind) ? client_id.trim() : null,
    realm: kind === 'keycloak' ? realm.trim() : null,
    per_second: Number(per_second),
    session_is_user,
  };
}

function hasClient(kind: ProviderKind): boolean {
  return kind === 'auth0' || kind === 'keycloak';
}

interface FieldsProps {
  readonly form: Pick<FormBinding<Values>, 'values' | 'set' | 'text' | 'errorOf'>;
  /** There is such a connection already. */
  readonly isKnown?: boolean;
}

function Fields({ form, isKnown = false }: FieldsProps) {
  const { kind, session_is_user: isUser } = form.values;
  const { url, secret } = PLACES[kind];
  return (
    <>
      <TextInput label="Name" placeholder="shop" required maxLength={100} {...form.text('name')} />
      <TextInput
        label="URL"
        description="Of the admin API, as the documents of the provider call it."
        placeholder={url}
        type="url"
        required
        maxLength={500}
        autoComplete="off"
        spellCheck={false}
        {...form.text('url')}
      />
      {kind === 'keycloak' && <TextInput label="Realm" required maxLength={300} {...form.text('realm')} />}
      {hasClient(kind) && (
        <TextInput label="Client id" required maxLength={300} {...form.text('client_id')} />
      )}
      <PasswordInput
        label="Secret"
        description={
          isKnown ? 'Leave it empty to keep the one that is stored.' : `${secret}. It is stored encrypted.`
        }
        required={!isKnown && kind !== 'kratos'}
        autoComplete="new-password"
        {...form.text('secret')}
      />
      <TextInput
        label="Accounts a second, at most"
        description="Each needs two or three requests. The provider’s own limits count besides."
        inputMode="numeric"
        required
        pattern="\d{1,3}"
        {...form.text('per_second')}
      />
      <Checkbox
        label="The session id of our signups is the user id at this provider"
        description="For signups that your own servers assess with a key. Those of a hook bring the user id by themselves where the provider sends it."
        checked={isUser}
        onChange={(event) => form.set({ session_is_user: event.currentTarget.checked })}
      />
    </>
  );
}
