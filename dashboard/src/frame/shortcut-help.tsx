/** Lists the keyboard shortcuts. */
import { Kbd, Modal } from '@mantine/core';
import styles from './frame.module.css';
import type { Current } from './use-current.ts';

const KEYS: readonly (readonly [keys: readonly string[], does: string])[] = [
  [['/'], 'Find anything (also Ctrl or ⌘ K, or paste)'],
  [['j'], 'Next row'],
  [['k'], 'Previous row'],
  [['Enter'], 'Open the row'],
  [['Esc'], 'Close details, or clear the selection'],
  [['x'], 'Select the row'],
  [['Shift', 'x'], 'Select up to this row (also Shift j and k)'],
  [['a'], 'Select all signups of the filter'],
  [['r'], 'Real customer (in a signup)'],
  [['f'], 'Fraud (in a signup)'],
  [['b'], 'Group the signups'],
  [['?'], 'These shortcuts'],
];

export function ShortcutHelp({ current, onClose }: { current: Current; onClose: () => void }) {
  const pages = current.sections.flat().map(({ menu, title }) => [['g', menu.letter], title] as const);
  return (
    <Modal opened onClose={onClose} title="Keyboard shortcuts" size="lg">
      <dl className={styles.shortcuts}>
        {[...KEYS, ...pages].map(([keys, does]) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
