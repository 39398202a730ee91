/** Shows code or JSON to read and to copy. */
import { Button } from '@mantine/core';
import { IconCheck, IconCopy } from './icons.ts';
import styles from './text.module.css';
import { useCopy } from './use-copy.ts';

export interface CodeBlockProps {
  readonly code: string;
  readonly label: string;
  readonly wrap?: boolean;
  onCopied?(): void;
}

export function CodeBlock({ code, label, wrap = false, onCopied }: CodeBlockProps) {
  const { copied, copy } = useCopy(onCopied);
  return (
    <figure className={styles.code}>
      <section
        // A scrolling region must be reachable by keyboard.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        tabIndex={0}
        aria-label={label}
      >
        <pre data-wrap={wrap || undefined}>
          <code>{code}</code>
        </pre>
      </section>
      <Button
        className={styles.codeCopy}
        size="compact-xs"
        variant="default"
        leftSection={copied ? <IconCheck size={13} /> : <IconCopy size={13} />}
        onClick={() => copy(code)}
        aria-label={`${copied ? 'Copied' : 'Copy'} ${label}`}
      >
        {copied ? 'Copied' : 'Copy'}
      </Button>
    </figure>
  );
}
