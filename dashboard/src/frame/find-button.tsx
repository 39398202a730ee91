/** The field in the top bar that opens the search. */
import { Kbd } from '@mantine/core';
import { IconSearch } from '../ui/icons.ts';
import styles from './frame.module.css';

export function FindButton({ onClick }: { onClick: () => void }) {
  return (
    <search className={styles.search}>
      <button
        type="button"
        className={styles.find}
        onClick={onClick}
        aria-label="Find anything"
        aria-haspopup="dialog"
        aria-keyshortcuts="/ Control+K Meta+K"
      >
        <IconSearch size={16} aria-hidden />
        <span className={styles.findHint}>Find anything…</span>
        <Kbd size="xs" className={styles.findHint} aria-hidden>
          /
        </Kbd>
      </button>
    </search>
  );
}
