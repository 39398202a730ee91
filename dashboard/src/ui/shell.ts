/** Takes away the empty frame that index.html shows until there is something else to see. */
import { useLayoutEffect } from 'react';

export function useInsteadOfShell(): void {
  useLayoutEffect(() => document.getElementById('shell')?.remove(), []);
}
