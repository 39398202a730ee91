/** Shows what to enter at the provider: the URL, and the secret this once. */
import type { HookRow, HookSecret } from '../../../src/contract/dashboard-hooks.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { FormHint } from '../ui/form.tsx';
import { NoteDialog } from '../ui/note-dialog.tsx';
import { SecretDialog } from '../ui/secret-dialog.tsx';
import { PROVIDERS } from './hooks-providers.ts';

export interface HookHandOverProps {
  readonly made: HookSecret;
  /** The person entered the secret, so there is nothing to hand over. */
  readonly isOwn: boolean;
  /** It is an old hook with a new secret. */
  readonly isRotation?: boolean;
  onClose(): void;
}

export function HookHandOver({ made, isOwn, isRotation = false, onClose }: HookHandOverProps) {
  const { hook, secret } = made;
  const title = isRotation ? `“${hook.name}” has a new secret` : `Hook “${hook.name}” is created`;
  if (secret !== null && !isOwn)
    return (
      <SecretDialog
        title={title}
        label="Secret"
        secret={secret}
        intro={<Url hook={hook} />}
        onClose={onClose}
      >
        Copy the secret now. It is not shown again, and nobody can look it up.
      </SecretDialog>
    );
  return (
    <NoteDialog title={title} onClose={onClose}>
      <Url hook={hook} />
      {secret === null && (
        <p>
          The hook refuses everything until it has the secret that {PROVIDERS[hook.provider].title} shows you:
          choose Set secret in its menu.
        </p>
      )}
    </NoteDialog>
  );
}

function Url({ hook }: { hook: HookRow }) {
  const { title, where } = PROVIDERS[hook.provider];
  return (
    <>
      <p>
        In {title}: {where}
      </p>
      <CodeBlock label="URL" code={hookUrl(hook)} wrap />
      <FormHint>{title} must be able to reach this address. Only /hooks/ needs to be public.</FormHint>
    </>
  );
}

/** URL that the provider calls, where it reaches the service by the same name as this page. */
export function hookUrl({ path }: Pick<HookRow, 'path'>): string {
  return new URL(path, window.location.origin).href;
}
