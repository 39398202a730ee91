/** `/` goes to the search, `g` and a letter to a page, `?` shows them all. */
import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { isTyping } from '../ui/is-typing.ts';
import type { Current } from './use-current.ts';

export const SEARCH_ID = 'search';
/** Time that `g` waits for the next letter. */
const WAIT_MS = 1_500;

export function useShortcuts(current: Current, onHelp: () => void): void {
  const [, navigate] = useLocation();
  const latest = useRef({ current, onHelp, navigate });
  latest.current = { current, onHelp, navigate };
  useEffect(() => {
    let waitingUntil = 0;
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event)) return;
      const { current, onHelp, navigate } = latest.current;
      if (event.timeStamp < waitingUntil) {
        waitingUntil = 0;
        const page = current.sections.flat().find(({ menu }) => menu.letter === event.key);
        if (page !== undefined) {
          event.preventDefault();
          navigate(current.href(page));
        }
      } else if (event.key === 'g') waitingUntil = event.timeStamp + WAIT_MS;
      else if (event.key === '?') onHelp();
      else if (event.key === '/') {
        event.preventDefault();
        document.getElementById(SEARCH_ID)?.focus();
      }
    };
    // In the capturing phase, so that the letter after `g` triggers no other shortcut.
    document.addEventListener('keydown', onKey, true);
    return () => document.removeEventListener('keydown', onKey, true);
  }, []);
}
