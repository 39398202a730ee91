/** Creates an account or changes one: name, plan, overage, and limits of its own. */
import { Button, Group, Modal, NumberInput, Select, Switch, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { OperatorAccount } from '../../../src/contract/dashboard-installation.ts';
import type { PlanName } from '../../../src/contract/messages.ts';
import { useSend } from '../api.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useSending } from '../ui/use-sending.ts';
import styles from './accounts-page.module.css';

type Changes = Pick<OperatorAccount, 'name' | 'plan' | 'overage' | 'monthly_quota' | 'requests_per_second'>;

const PLANS: readonly { value: PlanName; label: string }[] = [
  { value: 'free', label: 'Free' },
  { value: 'starter', label: 'Starter' },
  { value: 'pro', label: 'Pro' },
  { value: 'business', label: 'Business' },
];
const FRESH: Changes = {
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
  const [fields, setFields] = useState<Changes>(account ?? FRESH);
  const set = (changes: Partial<Changes>) => setFields({ ...fields, ...changes });
  const save = useSend<OperatorAccount, Changes>(
    account === undefined ? 'POST' : 'PATCH',
    account === undefined ? '/operator/accounts' : `/operator/accounts/${account.id}`,
    {
      refreshes: [
        '/operator/accounts',
        '/session',
        ...(account === undefined ? [] : [`/accounts/${account.id}/`]),
      ],
    },
  );
  const { send, close } = useSending(save, onClose);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { name, plan, overage, monthly_quota, requests_per_second } = fields;
    send(
      { name: name.trim(), plan, overage: overage && plan !== 'free', monthly_quota, requests_per_second },
      onClose,
    );
  };
  const wrong = (param: keyof Changes) => (save.error?.param === param ? save.error.message : undefined);
  const placed = save.error?.param !== undefined && save.error.param in FRESH;
  return (
    <Modal
      opened
      onClose={close}
      title={account === undefined ? 'Create account' : `Change ${account.name}`}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form onSubmit={submit} className={styles.form}>
        <TextInput
          label="Name"
          required
          withAsterisk={false}
          maxLength={100}
          data-autofocus
          value={fields.name}
          onChange={(event) => set({ name: event.currentTarget.value })}
          error={wrong('name')}
        />
        <Select
          label="Plan"
          allowDeselect={false}
          value={fields.plan}
          onChange={(plan) => set({ plan: (plan ?? fields.plan) as PlanName })}
          data={PLANS}
          error={wrong('plan')}
        />
        <Switch
          label="Answer above the monthly limit"
          description={
            fields.plan === 'free'
              ? 'The free plan refuses above its limit.'
              : 'Counted as overage. Otherwise requests are refused with quota_exceeded.'
          }
          disabled={fields.plan === 'free'}
          checked={fields.overage && fields.plan !== 'free'}
          onChange={(event) => set({ overage: event.currentTarget.checked })}
        />
        <div className={styles.pair}>
          <Override
            label="Assessments a month"
            value={fields.monthly_quota}
            least={0}
            error={wrong('monthly_quota')}
            onChange={(monthly_quota) => set({ monthly_quota })}
          />
          <Override
            label="Requests a second"
            value={fields.requests_per_second}
            least={1}
            error={wrong('requests_per_second')}
            onChange={(requests_per_second) => set({ requests_per_second })}
          />
        </div>
        <p className={styles.hint}>
          {account === undefined
            ? 'It begins with the default thresholds and without keys or people.'
            : 'Changes hold from the next request on.'}
        </p>
        <ProblemNote error={placed ? null : save.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" disabled={save.isPending} onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            {account === undefined ? 'Create account' : 'Save changes'}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

interface OverrideProps {
  readonly label: string;
  readonly value: number | null;
  readonly least: number;
  readonly error: string | undefined;
  onChange(value: number | null): void;
}

/** A limit that is the plan's unless a number stands here. */
function Override({ label, value, least, error, onChange }: OverrideProps) {
  return (
    <NumberInput
      label={label}
      placeholder="as the plan says"
      min={least}
      allowDecimal={false}
      allowNegative={false}
      thousandSeparator=","
      hideControls
      value={value ?? ''}
      onChange={(next) => onChange(typeof next === 'number' ? next : null)}
      error={error}
    />
  );
}
