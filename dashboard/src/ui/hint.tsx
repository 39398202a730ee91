/**
 * Explains something on hover and focus. Small, because every page has it: the component library's own includes a positioning engine.
 */
import { type CSSProperties, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import styles from './text.module.css';

export interface HintProps {
  /** Nothing is shown for `undefined`. */
  readonly label: ReactNode;
  readonly side?: 'above' | 'right';
  readonly children: ReactNode;
}

const WAIT_MS = 250;
const GAP = 6;
const WIDEST = 320;

export function Hint({ label, side = 'above', children }: HintProps) {
  const [place, setPlace] = useState<CSSProperties>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const anchor = useRef<HTMLSpanElement>(null);
  const id = useId();
  const hide = () => {
    clearTimeout(timer.current);
    setPlace(undefined);
  };
  const show = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const box = (anchor.current?.firstElementChild ?? anchor.current)?.getBoundingClientRect();
      if (box !== undefined) setPlace(placeOf(box, side));
    }, WAIT_MS);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (place === undefined) return;
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && setPlace(undefined);
    const onScroll = () => setPlace(undefined);
    document.addEventListener('keydown', onKey);
    window.addEventListener('scroll', onScroll, { capture: true, passive: true });
    return () => {
      document.removeEventListener('keydown', onKey);
      window.removeEventListener('scroll', onScroll, { capture: true });
    };
  }, [place]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it adds text to its content, no action
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click only hides the words
    <span
      ref={anchor}
      style={{ display: 'contents' }}
      onMouseOver={show}
      onMouseOut={hide}
      onFocus={show}
      onBlur={hide}
      onClick={hide}
    >
      {children}
      {place !== undefined &&
        label !== undefined &&
        createPortal(
          <span role="tooltip" id={id} className={styles.hint} style={place}>
            {label}
          </span>,
          document.body,
        )}
    </span>
  );
}

/** Place above if there is room, else below; never outside the window. */
function placeOf(box: DOMRect, side: 'above' | 'right'): CSSProperties {
  if (side === 'right') return { left: box.right + GAP, top: box.top + box.height / 2, translate: '0 -50%' };
  const middle = box.left + box.width / 2;
  const half = WIDEST / 2;
  const left = Math.min(Math.max(middle, GAP), window.innerWidth - GAP);
  const shift =
    middle < half ? `-${(100 * left) / WIDEST}%` : middle > window.innerWidth - half ? '-100%' : '-50%';
  const anchored = shift === '-100%' ? Math.min(box.right, window.innerWidth - GAP) : left;
  return box.top > 72
    ? { left: anchored, top: box.top - GAP, translate: `${shift} -100%` }
    : { left: anchored, top: box.bottom + GAP, translate: `${shift} 0` };
}
