/** Calls a function when a letter is pressed outside of fields and dialogs. */
import { type RefObject, useEffect, useRef } from 'react';
import { isTyping } from './is-typing.ts';

/** @param place part of the page that the key belongs to: where it is inert, the key does nothing */
export function useKey(letter: string, press: () => void, place: RefObject<HTMLElement | null>): void {
  const latest = useRef(press);
  latest.current = press;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== letter || event.repeat || isTyping(event)) return;
      if (place.current?.closest('[inert]')) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [letter, place]);
}
