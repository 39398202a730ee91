/** The instructions of the steps after the first request, and their results. */
import { Button, Group } from '@mantine/core';
import { Link } from 'wouter';
import type { FirstSteps } from '../../../src/contract/dashboard-account.ts';
import type { AccountPath } from '../pages.ts';
import { useScope } from '../scope.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { VerdictBadge } from '../ui/verdict-badge.tsx';
import { javascriptOf } from './request-code.ts';
import styles from './today-first-run.module.css';
import { newestOf } from './today-first-steps.ts';

/** The newest signup in its own mode; before the first one, a note that the page is waiting. */
export function SeeStep({ steps }: { steps: FirstSteps }) {
  const { mode, page } = useScope();
  const row = newestOf(steps);
  if (row === null)
    return <p>This page checks every few seconds and shows the signup as soon as it arrives.</p>;
  const at = (path: AccountPath) => page(path, { mode: row.mode === 'test' ? 'test' : undefined });
  return (
    <>
      <p className={styles.arrived}>
        <VerdictBadge verdict={row.verdict} />
        <span>
          score {row.score} · <RelativeTime at={row.at} />
        </span>
        <Link href={at(`assessments/${row.request_id}`)}>see why</Link>
      </p>
      {row.mode !== mode && (
        <p>
          It was made with a {row.mode === 'test' ? 'sandbox' : 'live'} key.{' '}
          <Link href={at('today')}>Switch to {row.mode === 'test' ? 'Sandbox' : 'Live'}</Link>
        </p>
      )}
    </>
  );
}

export function SignupStep() {
  const { canManage, page } = useScope();
  return (
    <>
      <p>
        Call Gatehouse from your server before you create the account. On <em>allow</em>, let the person in.
        On <em>challenge</em>, ask for a proof such as a code by email. On <em>block</em>, refuse. If no
        answer comes in time, let people in. This step is done when a live key has checked a real signup.
      </p>
      <CodeBlock
        label="Request in JavaScript"
        code={javascriptOf({
          origin: window.location.origin,
          key: '<YOUR_LIVE_KEY>',
          request: { email: '<EMAIL>', ip: '<IP_OF_THE_VISITOR>' },
        })}
      />
      <Group gap="xs">
        {canManage && (
          <Button component={Link} href={page('keys')} size="sm">
            Get a live key
          </Button>
        )}
        <Button component={Link} href={page('try')} variant="default" size="sm">
          Code in other languages
        </Button>
      </Group>
    </>
  );
}

export function InviteStep({ invited }: { invited: number }) {
  const { canManage, page } = useScope();
  return (
    <>
      <p>
        People who support customers can look up why a signup was stopped, and report mistakes.
        {invited > 0 &&
          ` ${invited === 1 ? 'One invitation is' : `${invited} invitations are`} not accepted yet.`}
      </p>
      {canManage && (
        <Button component={Link} href={page('people')} size="sm">
          {invited > 0 ? 'Show people' : 'Invite somebody'}
        </Button>
      )}
    </>
  );
}
