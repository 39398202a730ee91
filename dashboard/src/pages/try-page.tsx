/** Try it: runs one assessment, shows it as code, and explains the answer. */
import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { TryResult } from '../../../src/contract/dashboard-account.ts';
import { useSend } from '../api.ts';
import { useScope, useSetQuery } from '../scope.ts';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Answer } from './try-answer.tsx';
import { CodeCard } from './try-code-card.tsx';
import styles from './try-page.module.css';

const EXAMPLES = {
  test: ['someone@example.com', 'challenge@example.com', 'block@example.com'],
  live: ['someone@gmail.com', 'someone@mailinator.com', 'admin@example.com'],
} as const;

export function TryPage() {
  const scope = useScope();
  const setQuery = useSetQuery();
  // Live assessments cost credits: owners decide about those.
  const mode = scope.canManage ? scope.mode : 'test';
  const [email, setEmail] = useState('');
  const [ip, setIp] = useState('');
  const [session, setSession] = useState('');
  const request = {
    email: email.trim() || 'someone@example.com',
    ...(ip.trim() === '' ? {} : { ip: ip.trim() }),
    ...(session.trim() === '' ? {} : { session_id: session.trim() }),
  };
  const attempt = useSend<TryResult, typeof request & { mode: typeof mode }>('POST', scope.api('try'), {
    refreshes: [scope.api('overview'), scope.api('assessments'), scope.api('usage')],
  });
  const run = (event: FormEvent) => {
    event.preventDefault();
    attempt.mutate({ mode, ...request });
  };
  return (
    <>
      <PageHeader title="Try it">
        Ask for one assessment as your server would, and see why it ends as it does.
      </PageHeader>
      <div className={styles.columns}>
        <div>
          <Card title="Request">
            <form onSubmit={run} className={styles.form}>
              <SegmentedControl
                aria-label="Kind of assessment"
                value={mode}
                disabled={!scope.canManage}
                onChange={(value) => setQuery({ mode: value === 'live' ? undefined : value })}
                data={[
                  { value: 'test', label: 'Sandbox' },
                  { value: 'live', label: 'Live' },
                ]}
              />
              <p className={styles.hint}>
                {mode === 'test'
                  ? 'The sandbox answers with fixtures chosen by the address, without looking at the world. It costs nothing.'
                  : 'A live assessment looks at real evidence, counts for velocity and costs one credit.'}
              </p>
              <TextInput
                label="Email"
                required
                withAsterisk={false}
                type="text"
                inputMode="email"
                autoComplete="off"
                value={email}
                onChange={(event) => setEmail(event.currentTarget.value)}
                error={paramError(attempt.error, 'email')}
              />
              <div className={styles.examples}>
                {EXAMPLES[mode].map((example) => (
                  <Button key={example} size="compact-xs" variant="light" onClick={() => setEmail(example)}>
                    {example}
                  </Button>
                ))}
              </div>
              <TextInput
                label="IP address"
                description="Of the visitor, as your server sees it. Optional."
                autoComplete="off"
                spellCheck={false}
                value={ip}
                onChange={(event) => setIp(event.currentTarget.value)}
                error={paramError(attempt.error, 'ip')}
              />
              <TextInput
                label="Session id"
                description="Your own, echoed in the answer. Optional."
                autoComplete="off"
                spellCheck={false}
                value={session}
                onChange={(event) => setSession(event.currentTarget.value)}
                error={paramError(attempt.error, 'session_id')}
              />
              <div>
                <Button type="submit" loading={attempt.isPending}>
                  Assess
                </Button>
              </div>
              <ProblemNote error={attempt.error?.param === undefined ? attempt.error : null} />
            </form>
          </Card>
          <CodeCard request={request} mode={mode} />
        </div>
        <Card title="Answer">
          {attempt.data === undefined ? (
            <EmptyState title="No result yet">
              Fill in an address and press Assess: verdict, reasons, and the exact answer stand here.
            </EmptyState>
          ) : (
            <Answer result={attempt.data} />
          )}
        </Card>
      </div>
    </>
  );
}

function paramError(error: { param: string | undefined; message: string } | null, param: string) {
  return error?.param === param ? error.message : undefined;
}
