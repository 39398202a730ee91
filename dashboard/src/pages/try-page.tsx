/** Try it: runs one assessment, shows it as code, and explains the answer. */
import { Button, SegmentedControl, TextInput } from '@mantine/core';
import type { TryResult } from '../../../src/contract/dashboard-account.ts';
import type { KeyMode } from '../../../src/model/key-mode.ts';
import { useSend } from '../api.ts';
import { useScope, useSetQuery } from '../scope.ts';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Form, FormHint } from '../ui/form.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { type FormBinding, useForm } from '../ui/use-form.ts';
import type { ExampleRequest } from './request-code.ts';
import { Answer } from './try-answer.tsx';
import { CodeCard } from './try-code-card.tsx';
import styles from './try-page.module.css';

const EXAMPLES = {
  test: ['someone@example.com', 'challenge@example.com', 'block@example.com'],
  live: ['someone@gmail.com', 'someone@mailinator.com', 'admin@example.com'],
} as const;
const EMPTY = { email: '', ip: '', session_id: '' };

export function TryPage() {
  const scope = useScope();
  // Live signups cost credits, so only owners may send them.
  const mode = scope.canManage ? scope.mode : 'test';
  const attempt = useSend<TryResult, ExampleRequest & { mode: KeyMode }>('POST', scope.api('try'), {
    refreshes: [scope.api('today'), scope.api('assessments'), scope.api('usage')],
  });
  const form = useForm({
    values: EMPTY,
    change: attempt,
    body: (values) => ({ mode, ...requestOf(values) }),
    onDone: () => {},
  });
  return (
    <>
      <PageHeader title="Try it">
        Send one request as your server would, and see the answer and the reasons for it.
      </PageHeader>
      <div className={styles.columns}>
        <div>
          <Card title="Request">
            <RequestForm form={form} mode={mode} />
          </Card>
          <CodeCard request={requestOf(form.values)} mode={mode} />
        </div>
        <Card title="API response">
          {attempt.data === undefined ? (
            <EmptyState title="No result yet">
              Type an email address and press Send request. The verdict, the reasons and the exact response
              appear here.
            </EmptyState>
          ) : (
            <Answer result={attempt.data} />
          )}
        </Card>
      </div>
    </>
  );
}

function RequestForm({ form, mode }: { form: FormBinding<typeof EMPTY>; mode: KeyMode }) {
  return (
    <Form form={form} actions={<Submit busy={form.busy} />}>
      <ModeChoice mode={mode} />
      <TextInput
        label="Email"
        required
        type="text"
        inputMode="email"
        autoComplete="off"
        {...form.text('email')}
      />
      <div className={styles.examples}>
        {EXAMPLES[mode].map((email) => (
          <Button key={email} size="compact-xs" variant="light" onClick={() => form.set({ email })}>
            {email}
          </Button>
        ))}
      </div>
      <TextInput
        label="IP address"
        description="Optional: the visitor’s address, as your server sees it."
        autoComplete="off"
        spellCheck={false}
        {...form.text('ip')}
      />
      <TextInput
        label="Session id"
        description="Optional: your own id for the visit. The response repeats it."
        autoComplete="off"
        spellCheck={false}
        {...form.text('session_id')}
      />
    </Form>
  );
}

function ModeChoice({ mode }: { mode: KeyMode }) {
  const { canManage } = useScope();
  const setQuery = useSetQuery();
  return (
    <>
      <SegmentedControl
        aria-label="Kind of request"
        value={mode}
        disabled={!canManage}
        onChange={(value) => setQuery({ mode: value === 'live' ? undefined : value })}
        data={[
          { value: 'test', label: 'Sandbox' },
          { value: 'live', label: 'Live' },
        ]}
      />
      <FormHint>
        {mode === 'test'
          ? 'The sandbox returns canned test answers, chosen by the email address. It is free and makes no look-ups.'
          : 'A live request is checked like a real signup, counts in the velocity checks and costs one credit.'}
      </FormHint>
    </>
  );
}

function Submit({ busy }: { busy: boolean }) {
  return (
    <div>
      <Button type="submit" loading={busy}>
        Send request
      </Button>
    </div>
  );
}

/** Optional members are left out when they are empty. */
function requestOf({ email, ip, session_id }: typeof EMPTY): ExampleRequest {
  return {
    email: email.trim() || 'someone@example.com',
    ...(ip.trim() === '' ? {} : { ip: ip.trim() }),
    ...(session_id.trim() === '' ? {} : { session_id: session_id.trim() }),
  };
}
