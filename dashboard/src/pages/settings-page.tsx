/** Settings of the account, for its owners: the clock of all its pages. */
import { Button, Group, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import type { AccountSettings } from '../../../src/contract/dashboard-account.ts';
import { useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Form, FormHint } from '../ui/form.tsx';
import { LOCALE } from '../ui/format.ts';
import { meanwhileOf, YIELD } from '../ui/meanwhile-note.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { createTimes } from '../ui/times.ts';
import { useForm } from '../ui/use-form.ts';
import { useNow } from '../ui/use-now.ts';
import styles from './settings-page.module.css';
import { zoneChoices } from './settings-zone-choices.ts';

export function SettingsPage() {
  const { account, canManage } = useScope();
  if (canManage) return <Settings />;
  return (
    <>
      <PageHeader title="Settings" />
      <EmptyState title="Only owners change the settings">Ask an owner of {account.name}.</EmptyState>
    </>
  );
}

function Settings() {
  const { account, api } = useScope();
  const [saved, setSaved] = useState(false);
  const [begun, setBegun] = useState(account.settings_version);
  const change = useSend<AccountSettings, AccountSettings>('PATCH', api('settings'), {
    refreshes: ['/session', api('')],
    version: account.settings_version,
    begun,
  });
  // `null`: the current one, also where somebody else changes it meanwhile.
  const form = useForm<{ time_zone: string | null }, AccountSettings>({
    values: { time_zone: null },
    change,
    body: (values) => ({ time_zone: values.time_zone ?? account.time_zone }),
    onDone: () => {
      setSaved(true);
      form.set({ time_zone: null });
    },
  });
  const time_zone = form.values.time_zone ?? account.time_zone;
  const isLate = meanwhileOf(change.error) !== undefined;
  const useTheirs = () => {
    form.set({ time_zone: null });
    change.reset();
  };
  const now = new Date(useNow()).toISOString();
  return (
    <>
      <PageHeader title="Settings">These settings apply to everybody in {account.name}.</PageHeader>
      <Card title="Time zone">
        <div className={styles.column}>
          <Form
            form={form}
            actions={
              <Group gap="xs">
                {isLate && (
                  <Button variant="default" onClick={useTheirs}>
                    {YIELD}
                  </Button>
                )}
                <Button type="submit" loading={form.busy} disabled={time_zone === account.time_zone}>
                  {isLate ? 'Save time zone anyway' : 'Save time zone'}
                </Button>
              </Group>
            }
          >
            <NativeSelect
              label="Time zone of all times, days and charts"
              description={`It is now ${createTimes(LOCALE, time_zone).exact(now)} there.`}
              data={zoneChoices(account.time_zone)}
              value={time_zone}
              onChange={(event) => {
                setSaved(false);
                if (form.values.time_zone === null) setBegun(account.settings_version);
                form.set({ time_zone: event.currentTarget.value });
              }}
              error={form.errorOf('time_zone')}
            />
            <FormHint>
              This also changes the counts of past days, for everybody. Exports, the days of Usage and plan,
              and the month of the quota stay in UTC.
            </FormHint>
          </Form>
          <p role="status">{saved && !form.busy && 'Saved.'}</p>
        </div>
      </Card>
    </>
  );
}
