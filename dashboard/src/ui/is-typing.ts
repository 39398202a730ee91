/** Whether a key belongs to a field, a dialog or the browser, so that shortcuts leave it alone. */
export function isTyping(event: KeyboardEvent): boolean {
  if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented) return true;
  return isInField(event.target);
}

/** Whether what happens there is for a field, a menu or an open dialog. */
export function isInField(target: EventTarget | null): boolean {
  const fields = 'input, textarea, select, [contenteditable=true], [role=listbox], [role=menu]';
  if (target instanceof Element && target.closest(fields) !== null) return true;
  return document.querySelector('[aria-modal=true]') !== null;
}
