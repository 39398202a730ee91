/** Creates an account or changes one: name, plan, overage, and limits of its own. */
import { NumberInput, Select, Switch, TextInput } from '@mantine/core';
import type { OperatorAccount } from '../../../src/contract/dashboard-installation.ts';
import type { PlanName } from '../../../src/contract/messages.ts';
import { useSend } from '../api.ts';
import { FieldPair, FormHint } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { type FormBinding, useForm } from '../ui/use-form.ts';

type Changes = Pick<OperatorAccount, 'name' | 'plan' | 'overage' | 'monthly_quota' | 'requests_per_second'>;

const PLANS: readonly { value: PlanName; label: string }[] = [
  { value: 'free', label: 'Free' },
  { value: 'starter', label: 'Starter' },
  { value: 'pro', label: 'Pro' },
  { value: 'business', label: 'Business' },
];
const NEW_ACCOUNT: Changes = {
  name: '',
  plan: 'starter',
  overage: false,
  monthly_quota: null,
  requests_per_second: null,
};

/** `account` undefined: a new one. */
export function AccountForm({
  account,
  onClose,
}: {
  account: OperatorAccount | undefined;
  onClose: () => void;
}) {
  const form = useForm<Changes, Changes>({
    values: account ?? NEW_ACCOUNT,
    change: useSave(account),
    body: ({ name, plan, overage, monthly_quota, requests_per_second }) => ({
      name: name.trim(),
      plan,
      overage: overage && plan !== 'free',
      monthly_quota,
      requests_per_second,
    }),
    onDone: onClose,
    onClose,
  });
  return (
    <FormDialog
      form={form}
      title={account === undefined ? 'Create account' : `Change ${account.name}`}
      verb={account === undefined ? 'Create account' : 'Save changes'}
    >
      <TextInput label="Name" required maxLength={100} data-autofocus {...form.text('name')} />
      <PlanFields form={form} />
      <FormHint>
        {account === undefined
          ? 'It starts with the default thresholds and without keys or people.'
          : 'Changes apply from the next request on.'}
      </FormHint>
    </FormDialog>
  );
}

function useSave(account: OperatorAccount | undefined) {
  const path = '/operator/accounts';
  return useSend<OperatorAccount, Changes>(
    account === undefined ? 'POST' : 'PATCH',
    account === undefined ? path : `${path}/${account.id}`,
    {
      version: account?.version,
      refreshes: [path, '/session', ...(account === undefined ? [] : [`/accounts/${account.id}/`])],
    },
  );
}

function PlanFields({ form }: { form: FormBinding<Changes, Changes> }) {
  const { plan, overage, monthly_quota, requests_per_second } = form.values;
  const free = plan === 'free';
  return (
    <>
      <Select
        label="Plan"
        allowDeselect={false}
        value={plan}
        onChange={(next) => form.set({ plan: (next ?? plan) as PlanName })}
        data={PLANS}
        error={form.errorOf('plan')}
      />
      <Switch
        label="Answer above the monthly limit"
        description={
          free
            ? 'The free plan refuses requests above its limit.'
            : 'Counted as overage. Otherwise requests are refused with quota_exceeded.'
        }
        disabled={free}
        checked={overage && !free}
        onChange={(event) => form.set({ overage: event.currentTarget.checked })}
      />
      <FieldPair>
        <Override
          label="Signups a month"
          value={monthly_quota}
          min={0}
          error={form.errorOf('monthly_quota')}
          onChange={(monthly_quota) => form.set({ monthly_quota })}
        />
        <Override
          label="Requests a second"
          value={requests_per_second}
          min={1}
          error={form.errorOf('requests_per_second')}
          onChange={(requests_per_second) => form.set({ requests_per_second })}
        />
      </FieldPair>
    </>
  );
}

interface OverrideProps {
  readonly label: string;
  readonly value: number | null;
  readonly min: number;
  readonly error: string | undefined;
  onChange(value: number | null): void;
}

/** A limit that is the plan's if the field is empty. */
function Override({ value, onChange, ...field }: OverrideProps) {
  return (
    <NumberInput
      {...field}
      placeholder="as in the plan"
      allowDecimal={false}
      allowNegative={false}
      thousandSeparator=","
      hideControls
      value={value ?? ''}
      onChange={(next) => onChange(typeof next === 'number' ? next : null)}
    />
  );
}
