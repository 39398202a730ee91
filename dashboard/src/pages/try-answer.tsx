/** Explains an answer of the public API: verdict and reasons in words, or the error and what to do; then the exact text. */
import { Button, Tabs } from '@mantine/core';
import { Link } from 'wouter';
import type { TryResult } from '../../../src/contract/dashboard-account.ts';
import type { Assessment } from '../../../src/contract/messages.ts';
import { REASONS } from '../../../src/contract/reasons.ts';
import { useScope } from '../scope.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { CopyText } from '../ui/copy-text.tsx';
import { milliseconds } from '../ui/format.ts';
import { VerdictBadge } from '../ui/verdict-badge.tsx';
import { VERDICTS } from '../ui/verdicts.ts';
import styles from './try-page.module.css';

export function Answer({ result }: { result: TryResult }) {
  const body = JSON.parse(result.body) as Assessment | { error: { message: string; resolution: string } };
  return (
    <div className={styles.answer} aria-live="polite">
      {'error' in body ? (
        <Refusal status={result.status} error={body.error} />
      ) : (
        <Judgement assessment={body} />
      )}
      <Tabs defaultValue="body" keepMounted={false}>
        <Tabs.List mb="sm">
          <Tabs.Tab value="body">Body</Tabs.Tab>
          <Tabs.Tab value="headers">Headers</Tabs.Tab>
        </Tabs.List>
        <p className={styles.hint}>
          Status {result.status}, answered in {milliseconds(result.milliseconds)}
        </p>
        <Tabs.Panel value="body">
          <CodeBlock label="Response body" code={JSON.stringify(body, null, 2)} wrap />
        </Tabs.Panel>
        <Tabs.Panel value="headers">
          <CodeBlock
            label="Response headers"
            wrap
            code={Object.entries(result.headers)
              .map(([name, value]) => `${name}: ${value}`)
              .join('\n')}
          />
        </Tabs.Panel>
      </Tabs>
    </div>
  );
}

function Judgement({ assessment }: { assessment: Assessment }) {
  const { page } = useScope();
  const { verdict, score, reasons, request_id } = assessment;
  return (
    <>
      <div className={styles.verdict}>
        <VerdictBadge verdict={verdict} large />
        <span>
          Score <strong>{score}</strong> of 100
        </span>
        <Button
          component={Link}
          href={page(`assessments/${request_id}`)}
          variant="default"
          size="compact-sm"
          ml="auto"
        >
          Full explanation
        </Button>
      </div>
      {reasons.length === 0 ? (
        <p>No finding counts against this signup. It is {VERDICTS[verdict].did}.</p>
      ) : (
        <ol className={styles.reasons}>
          {reasons.map(({ code }) => (
            <li key={code}>
              <strong>{REASONS[code].label}</strong>
              <span>{REASONS[code].meaning}</span>
            </li>
          ))}
        </ol>
      )}
      <p className={styles.hint}>
        Stored as <CopyText text={request_id} what="request id" />
      </p>
    </>
  );
}

function Refusal({ status, error }: { status: number; error: { message: string; resolution: string } }) {
  return (
    <div className={styles.refusal}>
      <strong>Request refused ({status})</strong>
      <p>{error.message}</p>
      <p>{error.resolution}</p>
    </div>
  );
}
