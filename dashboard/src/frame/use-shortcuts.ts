/** `/`, Ctrl or ⌘ K and a paste outside of fields open the search, `g` and a letter to a page, `?` shows them all. */
import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { isInField, isTyping } from '../ui/is-typing.ts';
import type { Current } from './use-current.ts';

/** Time that `g` waits for the next letter. */
const WAIT_MS = 1_500;
/** Max. characters that the service takes. */
const MAX_PASTED = 1_000;

export interface ShortcutActions {
  onHelp(): void;
  /** @param text what was pasted */
  onFind(text?: string): void;
}

export function useShortcuts(current: Current, actions: ShortcutActions): void {
  const [, navigate] = useLocation();
  const latest = useRef({ current, actions, navigate });
  latest.current = { current, actions, navigate };
  useEffect(() => {
    let waitingUntil: number | undefined;
    /** Text that is typed before the field of the search has the focus. */
    let early: string | undefined;
    const open = () => {
      const { current, actions } = latest.current;
      if (current.account) early = '';
      actions.onFind();
    };
    const onKey = (event: KeyboardEvent) => {
      const { current, actions, navigate } = latest.current;
      if (early !== undefined && isForSearch(event)) {
        event.preventDefault();
        event.stopPropagation();
        early += event.key;
        return actions.onFind(early);
      }
      early = undefined;
      if (isFindChord(event)) {
        event.preventDefault();
        if (document.querySelector('[aria-modal=true]') === null) open();
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
        open();
      }
    };
    const forget = () => {
      waitingUntil = undefined;
      early = undefined;
    };
    // In the capturing phase, so that the letter after `g` triggers no other shortcut.
    const onPaste = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData('text').trim() ?? '';
      if (event.defaultPrevented || isInField(event.target) || text === '') return;
      event.preventDefault();
      latest.current.actions.onFind(text.slice(0, MAX_PASTED));
    };
    document.addEventListener('paste', onPaste);
    document.addEventListener('keydown', onKey, true);
    document.addEventListener('pointerdown', forget, true);
    return () => {
      document.removeEventListener('paste', onPaste);
      document.removeEventListener('keydown', onKey, true);
      document.removeEventListener('pointerdown', forget, true);
    };
  }, []);
}

/** A character that no field takes yet. */
function isForSearch({ key, ctrlKey, metaKey, target }: KeyboardEvent): boolean {
  return key.length === 1 && !ctrlKey && !metaKey && !(target instanceof HTMLInputElement);
}

function isFindChord({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'k' && ctrlKey !== metaKey && !altKey && !shiftKey;
}
