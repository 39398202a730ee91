/** The first step: a click creates a key and shows the complete command, ready to paste. */
import { Button, Group, SegmentedControl } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { CreatedKey } from '../../../src/contract/dashboard-account.ts';
import { FIRST_REQUEST } from '../../../src/contract/first-request.ts';
import type { KeyMode } from '../../../src/model/key-mode.ts';
import { useSend } from '../api.ts';
import { MODES, useScope } from '../scope.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { curlOf } from './request-code.ts';

const KEY_NAME = 'First request';
const WHAT: Readonly<Record<KeyMode, string>> = {
  live: 'A live key checks a real signup and uses one credit of this month. The signup appears under Live.',
  test: 'A sandbox key returns a canned test answer, free. The signup appears under Sandbox, not under Live.',
};

export interface RunStepProps {
  readonly created: CreatedKey | undefined;
  onCreated(created: CreatedKey): void;
}

export function RunStep({ created, onCreated }: RunStepProps) {
  const { account, canManage, mode: shown, api, page } = useScope();
  const [mode, setMode] = useState<KeyMode>(shown);
  const create = useSend<CreatedKey, { name: string; mode: KeyMode }>('POST', api('keys'), {
    refreshes: [api('keys'), api('policy')],
  });
  const tryIt = (
    <Button component={Link} href={page('try')} variant="default" size="sm">
      Try one in the browser
    </Button>
  );
  if (created !== undefined) return <Command created={created} />;
  if (!canManage)
    return (
      <>
        <p>
          Only owners can create keys: ask an owner of {account.name} for one. You can try the sandbox without
          a key.
        </p>
        {tryIt}
      </>
    );
  return (
    <>
      <p>Create a key, and the complete command appears here, ready to paste.</p>
      <SegmentedControl
        size="xs"
        aria-label="Kind of key"
        value={mode}
        onChange={(value) => setMode(value as KeyMode)}
        data={MODES}
      />
      <p>{WHAT[mode]}</p>
      <ProblemNote error={create.error} />
      <Group gap="xs">
        <Button
          size="sm"
          loading={create.isPending}
          onClick={() => create.mutate({ name: KEY_NAME, mode }, { onSuccess: onCreated })}
        >
          {mode === 'live' ? 'Create a live key' : 'Create a sandbox key'}
        </Button>
        {tryIt}
      </Group>
    </>
  );
}

function Command({ created: { key, secret } }: { created: CreatedKey }) {
  const { page } = useScope();
  const lead = useRef<HTMLParagraphElement>(null);
  // The button that was clicked is gone.
  useEffect(() => lead.current?.focus(), []);
  return (
    <>
      <p ref={lead} tabIndex={-1}>
        Paste this into a terminal on a machine that reaches {window.location.host}:
      </p>
      <CodeBlock
        label="First request"
        wrap
        code={curlOf({ origin: window.location.origin, key: secret, request: FIRST_REQUEST })}
      />
      <p>
        It contains your new {key.mode === 'test' ? 'sandbox' : 'live'} key, which is shown only until you
        leave this page. <Link href={page('keys')}>Keys</Link> lists it as “{key.name}”; revoke it there when
        you no longer need it.
      </p>
    </>
  );
}
