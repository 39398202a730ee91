/** Shows details beside a page. Its route opens it; Escape or the × goes back. */
import { ActionIcon } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { IconX } from './icons.ts';
import styles from './page-layout.module.css';

export interface SidePanelProps {
  readonly title: ReactNode;
  /** Names the panel for assistive technology. */
  readonly label: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  onClose(): void;
}

export function SidePanel({ title, label, actions, children, onClose }: SidePanelProps) {
  const panel = useRef<HTMLElement>(null);
  const close = useRef(onClose);
  close.current = onClose;

  useEffect(() => {
    const before = document.activeElement;
    panel.current?.focus({ preventScroll: true });
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      // A field, a dialog or a menu handles Escape itself.
      if ((event.target as HTMLElement).closest?.('input, textarea')) return;
      if (document.querySelector('[aria-modal=true], [role=menu], [role=listbox]') === null) close.current();
    };
    // In the capturing phase: later, a dialog that closes itself would be gone already.
    window.addEventListener('keydown', onKey, true);
    return () => {
      window.removeEventListener('keydown', onKey, true);
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);

  return (
    <aside ref={panel} className={styles.panel} tabIndex={-1} aria-label={label}>
      <div className={styles.panelHead}>
        <div className={styles.panelTitle}>{title}</div>
        {actions}
        <ActionIcon variant="subtle" size="lg" onClick={onClose} aria-label="Close details">
          <IconX size={18} />
        </ActionIcon>
      </div>
      <div className={styles.panelScroll}>
        <div className={styles.panelBody}>{children}</div>
      </div>
    </aside>
  );
}
