/** The window of a dialog, whose code is loaded when the first one opens. */
import type { ModalProps } from '@mantine/core';
import { lazy, Suspense, useRef } from 'react';

const ModalWindow = lazy(async () => ({ default: (await import('./modal-window.tsx')).ModalWindow }));

export function Modal(props: ModalProps) {
  const wanted = useRef(false);
  wanted.current ||= props.opened;
  if (!wanted.current) return null;
  return (
    <Suspense fallback={null}>
      <ModalWindow {...props} />
    </Suspense>
  );
}
