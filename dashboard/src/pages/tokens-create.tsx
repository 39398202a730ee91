/** Creates a token: name, scopes, account, expiry; then its text, shown only once. */
import { Select, TextInput } from '@mantine/core';
import type { OperatorAccount } from '../../../src/contract/dashboard-installation.ts';
import type { CreatedToken, NewTokenBody } from '../../../src/contract/dashboard-tokens.ts';
import type { ManageScope } from '../../../src/model/manage-token.ts';
import { useGet, useSend } from '../api.ts';
import { FieldPair, FormHint } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { SecretDialog } from '../ui/secret-dialog.tsx';
import { useForm } from '../ui/use-form.ts';
import { ScopeChoice } from './tokens-scope-choice.tsx';
import { withoutIncluded } from './tokens-scopes.ts';

const LENGTHS = [
  { value: '1', label: 'In 1 day' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: '', label: 'Never' },
];
const ALL = { value: '', label: 'All accounts' };
const NEW = { name: '', scopes: [] as readonly ManageScope[], account: '', days: '365' };

export function CreateToken({ onClose }: { onClose: () => void }) {
  const change = useSend<CreatedToken, NewTokenBody>('POST', '/operator/tokens', {
    refreshes: ['/operator/tokens', '/operator/audit'],
  });
  const form = useForm({
    values: NEW,
    change,
    body: ({ name, scopes, account, days }) => ({
      name: name.trim(),
      scopes: withoutIncluded(scopes),
      account_id: account === '' ? null : account,
      expires_in_days: days === '' ? null : Number(days),
    }),
    onClose,
  });
  if (change.data !== undefined) {
    const { token, secret } = change.data;
    const title = `Token “${token.name}” is created`;
    return <SecretDialog title={title} label="Token" secret={secret} onClose={onClose} />;
  }
  const { scopes, account, days } = form.values;
  return (
    <FormDialog form={form} title="Create token" verb="Create token" disabled={scopes.length === 0} size="lg">
      <TextInput
        label="Name"
        description="The program that will use it. The audit log shows it with every change."
        placeholder="terraform"
        required
        maxLength={100}
        data-autofocus
        {...form.text('name')}
      />
      <ScopeChoice chosen={scopes} onChange={(scopes) => form.set({ scopes })} />
      <FieldPair>
        <AccountChoice
          value={account}
          error={form.errorOf('account_id')}
          onChange={(account) => form.set({ account })}
        />
        <Select
          label="Expires"
          allowDeselect={false}
          withScrollArea={false}
          data={LENGTHS}
          value={days}
          error={form.errorOf('expires_in_days')}
          onChange={(next) => form.set({ days: next ?? NEW.days })}
        />
      </FieldPair>
      <FormHint>{reachOf(scopes, account !== '')}</FormHint>
    </FormDialog>
  );
}

interface AccountChoiceProps {
  readonly value: string;
  readonly error: string | undefined;
  onChange(account: string): void;
}

function AccountChoice({ onChange, ...field }: AccountChoiceProps) {
  const accounts = useGet<readonly OperatorAccount[]>('/operator/accounts');
  const choices = accounts.data?.map(({ id, name }) => ({ value: id, label: name })) ?? [];
  return (
    <Select
      {...field}
      label="Account"
      allowDeselect={false}
      searchable={choices.length > 10}
      data={[ALL, ...choices]}
      onChange={(next) => onChange(next ?? '')}
    />
  );
}

function reachOf(scopes: readonly ManageScope[], isBound: boolean): string {
  if (!isBound) return 'It sees all accounts, including accounts created later.';
  if (scopes.includes('accounts:write'))
    return 'It sees only this account and cannot create others. With accounts:write it can change the plan and the limits of the account.';
  return 'It sees only this account.';
}
