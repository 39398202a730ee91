/** Prints in light colours, whatever the scheme on the screen. */

const SCHEME = 'data-mantine-color-scheme';

/** @returns function that ends it */
export function printLight(): () => void {
  const root = document.documentElement;
  let onScreen: string | null = null;
  const before = () => {
    onScreen = root.getAttribute(SCHEME);
    root.setAttribute(SCHEME, 'light');
  };
  const after = () => {
    if (onScreen !== null) root.setAttribute(SCHEME, onScreen);
  };
  window.addEventListener('beforeprint', before);
  window.addEventListener('afterprint', after);
  return () => {
    window.removeEventListener('beforeprint', before);
    window.removeEventListener('afterprint', after);
  };
}
