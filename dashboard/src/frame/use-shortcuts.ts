/** `/` and Ctrl or ⌘ K open the search, `g` and a letter to a page, `?` shows them all. */
import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { isTyping } from '../ui/is-typing.ts';
import type { Current } from './use-current.ts';

/** Time that `g` waits for the next letter. */
const WAIT_MS = 1_500;

export interface ShortcutActions {
  onHelp(): void;
  onFind(): void;
}

export function useShortcuts(current: Current, actions: ShortcutActions): void {
  const [, navigate] = useLocation();
  const latest = useRef({ current, actions, navigate });
  latest.current = { current, actions, navigate };
  useEffect(() => {
    let waitingUntil: number | undefined;
    const onKey = (event: KeyboardEvent) => {
      const { current, actions, navigate } = latest.current;
      if (isFindChord(event)) {
        event.preventDefault();
        if (document.querySelector('[aria-modal=true]') === null) actions.onFind();
      }
      if (isTyping(event)) return;
      if (waitingUntil !== undefined) {
        // The letter after `g` belongs to it also where it comes too late or means no page: it triggers nothing else.
        const isInTime = event.timeStamp < waitingUntil;
        waitingUntil = undefined;
        event.preventDefault();
        event.stopPropagation();
        const page = current.sections.flat().find(({ menu }) => menu.letter === event.key);
        if (isInTime && page !== undefined) navigate(current.href(page));
      } else if (event.key === 'g') waitingUntil = event.timeStamp + WAIT_MS;
      else if (event.key === '?') actions.onHelp();
      else if (event.key === '/') {
        event.preventDefault();
        actions.onFind();
      }
    };
    const forget = () => {
      waitingUntil = undefined;
    };
    // In the capturing phase, so that the letter after `g` triggers no other shortcut.
    document.addEventListener('keydown', onKey, true);
    document.addEventListener('pointerdown', forget, true);
    return () => {
      document.removeEventListener('keydown', onKey, true);
      document.removeEventListener('pointerdown', forget, true);
    };
  }, []);
}

function isFindChord({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'k' && ctrlKey !== metaKey && !altKey && !shiftKey;
}
