/** Shows an id, address or similar in mono; a click copies it and says so. */
import { DomainText } from './domain-text.tsx';
import { Hint } from './hint.tsx';
import { IconCheck, IconCopy } from './icons.ts';
import styles from './text.module.css';
import { useCopy } from './use-copy.ts';

/** `shown` is a shorter form; the whole `text` is copied. */
export function CopyText({ text, shown = text, what }: { text: string; shown?: string; what: string }) {
  const { copied, copy } = useCopy();
  const Icon = copied ? IconCheck : IconCopy;
  return (
    <Hint label={copied ? 'Copied' : shown === text ? 'Copy' : `Copy ${text}`}>
      <button
        type="button"
        data-prints
        className={styles.copy}
        aria-label={`Copy ${what} ${text}`}
        onClick={(event) => {
          event.stopPropagation();
          event.preventDefault();
          copy(text);
        }}
      >
        <span className="gh-mono">
          <DomainText text={shown} />
        </span>
        <Icon size={13} aria-hidden />
        <span className="gh-hidden" aria-live="polite">
          {copied ? 'Copied' : ''}
        </span>
      </button>
    </Hint>
  );
}
