/** Shows details beside the page that led to them. Its route opens it; Escape or the cross goes back. */
import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import styles from './layout.module.css';

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
      // A dialog or menu above takes Escape first.
      if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector('[aria-modal=true]'))
        return;
      close.current();
    };
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('keydown', onKey);
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
      <div className={styles.panelBody}>{children}</div>
    </aside>
  );
}
