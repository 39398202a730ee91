/** The window of a dialog, whose code is loaded when the first one opens. */
import type { ModalProps } from '@mantine/core';
import { useRef } from 'react';
import { later } from './later.tsx';

const ModalWindow = later<ModalProps>(async () => (await import('./modal-window.tsx')).ModalWindow);

export function Modal(props: ModalProps) {
  const wanted = useRef(false);
  wanted.current ||= props.opened;
  if (!wanted.current) return null;
  return <ModalWindow {...props} />;
}
