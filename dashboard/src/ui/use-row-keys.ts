/** Lets j and k move between a table's rows, from anywhere on the page where nobody is typing. */
import { type RefObject, useEffect, useRef } from 'react';
import { isTyping } from './is-typing.ts';

export function useRowKeys(active: boolean): RefObject<HTMLTableSectionElement | null> {
  const body = useRef<HTMLTableSectionElement>(null);
  useEffect(() => {
    if (!active) return;
    const onKey = (event: KeyboardEvent) => {
      if ((event.key !== 'j' && event.key !== 'k') || isTyping(event)) return;
      const links = [...(body.current?.querySelectorAll<HTMLElement>('[data-row-link]') ?? [])];
      // Before the first move: the row whose details are open, else none.
      const focused = links.findIndex((link) => link.closest('tr')?.contains(document.activeElement));
      const selected = links.findIndex((link) => link.closest('tr')?.hasAttribute('data-selected'));
      const at = focused >= 0 ? focused : selected;
      const next = links[at < 0 ? 0 : at + (event.key === 'j' ? 1 : -1)];
      if (next === undefined) return;
      event.preventDefault();
      next.focus();
      next.closest('tr')?.scrollIntoView({ block: 'nearest' });
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [active]);
  return body;
}
