/** The window of a dialog, whose code is loaded when the first one opens. The focus goes back to where it was before. */
import type { ModalProps } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { later } from './later.tsx';

const ModalWindow = later<ModalProps>(async () => (await import('./modal-window.tsx')).ModalWindow);
const WINDOWS = '[role=dialog], [role=menu]';
/** The element of the page that had the focus last. */
let origin: HTMLElement | undefined;

document.addEventListener('focusin', ({ target }) => {
  if (target instanceof HTMLElement && target.closest(WINDOWS) === null) origin = target;
});

export function Modal(props: ModalProps) {
  const { opened } = props;
  const wanted = useRef(false);
  wanted.current ||= opened;
  useFocusBack(opened);
  if (!wanted.current) return null;
  return <ModalWindow {...props} />;
}

/** Most dialogs are removed at once when they close: the library gives the focus back only if they stay. */
export function useFocusBack(opened: boolean): void {
  useEffect(() => (opened ? giveFocusBack : undefined), [opened]);
}

/** Nothing happens if another dialog follows, or if something else has the focus. */
function giveFocusBack(): void {
  setTimeout(() => {
    if (document.activeElement !== document.body || document.querySelector(WINDOWS)) return;
    const target = origin?.isConnected ? origin : document.querySelector('main');
    target?.focus({ preventScroll: true });
  });
}
