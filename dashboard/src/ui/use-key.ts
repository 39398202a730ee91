/** Calls a function when a letter is pressed outside of fields and dialogs. */
import { useEffect, useRef } from 'react';
import { isTyping } from './is-typing.ts';

/** @param press `undefined`: the key does nothing */
export function useKey(letter: string, press: (() => void) | undefined): void {
  const latest = useRef(press);
  latest.current = press;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== letter || event.repeat || isTyping(event) || latest.current === undefined) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [letter]);
}
