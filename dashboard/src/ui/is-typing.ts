/** Whether a key belongs to a field, a dialog or the browser, so that shortcuts leave it alone. */
export function isTyping(event: KeyboardEvent): boolean {
  if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented) return true;
  const target = event.target as HTMLElement | null;
  if (target?.closest('input, textarea, select, [contenteditable=true], [role=listbox], [role=menu]'))
    return true;
  return document.querySelector('[aria-modal=true]') !== null;
}
