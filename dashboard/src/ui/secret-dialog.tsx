/** Shows a secret that nobody can look up later. Until it is copied or saved, the dialog asks before it closes. */
import { Button, Group } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { CodeBlock } from './code-block.tsx';
import { downloadText } from './download.ts';
import { IconDownload } from './icons.ts';
import { useLeaveGuard } from './leave-guard.tsx';
import { Modal } from './modal.tsx';
import styles from './states.module.css';
import { useCopy } from './use-copy.ts';

export interface SecretDialogProps {
  readonly title: string;
  /** Contents to copy in addition, shown before it. */
  readonly intro?: ReactNode;
  /** Purpose of the secret, and that it is shown only once; absent: only this. */
  readonly children?: ReactNode;
  /** Names the secret: `Key`, `Invitation link`. */
  readonly label: string;
  readonly secret: string;
  /** The file name, if it may also be saved as a text file. */
  readonly file?: string;
  onClose(): void;
}

const ONCE = 'Copy it now. It is not shown again, and nobody can look it up.';
const anywhere = () => true;

export function SecretDialog(props: SecretDialogProps) {
  const [saved, setKept] = useState(false);
  const [closing, setClosing] = useState(false);
  const navigating = useLeaveGuard(saved ? undefined : anywhere);
  const leaving = closing || navigating !== undefined;
  const goBack = () => {
    setClosing(false);
    navigating?.stay();
  };
  // Escape, the cross and clicks outside mean "go back" once the question is there.
  const close = () => {
    if (saved) props.onClose();
    else if (leaving) goBack();
    else setClosing(true);
  };
  return (
    <Modal opened onClose={close} title={leaving ? 'Close without copying?' : props.title}>
      {leaving ? (
        <Leave onBack={goBack} onLeave={navigating?.leave ?? props.onClose} />
      ) : (
        <Secret {...props} onKept={() => setKept(true)} />
      )}
    </Modal>
  );
}

function Secret(props: SecretDialogProps & { onKept(): void }) {
  const { intro, children = ONCE, label, secret, file, onKept, onClose } = props;
  // It closes only once the secret is on the clipboard.
  const { copy } = useCopy(() => {
    onKept();
    onClose();
  });
  const onCopy = () => {
    if (window.getSelection()?.toString().includes(secret) === true) onKept();
  };
  return (
    <div className={styles.secret} onCopy={onCopy}>
      {intro}
      <p>{children}</p>
      <CodeBlock label={label} code={secret} wrap onCopied={onKept} />
      <Group justify="flex-end" gap="xs">
        {file !== undefined && (
          <Button
            variant="default"
            leftSection={<IconDownload size={16} />}
            onClick={() => {
              downloadText(file, `${secret}\n`);
              onKept();
            }}
          >
            Download
          </Button>
        )}
        <Button variant={file === undefined ? 'default' : 'filled'} onClick={onClose}>
          I have {file === undefined ? 'copied it' : 'kept them'}
        </Button>
        {file === undefined && <Button onClick={() => copy(secret)}>Copy and close</Button>}
      </Group>
    </div>
  );
}

function Leave({ onBack, onLeave }: { onBack: () => void; onLeave: () => void }) {
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => back.current?.focus(), []);
  return (
    <>
      <p className="gh-dim">This is shown only once. Nobody can look it up later.</p>
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button ref={back} variant="default" onClick={onBack}>
          Go back
        </Button>
        <Button color="red" onClick={onLeave}>
          Close without copying
        </Button>
      </Group>
    </>
  );
}
