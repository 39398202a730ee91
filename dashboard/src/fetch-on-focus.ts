/** Has pages read again when the person returns to their window. Windows beside each other stay visible, so visibility alone says too little. */
import { focusManager } from '@tanstack/react-query';

export function fetchOnFocus(): void {
  focusManager.setEventListener((onFocus) => {
    const listener = () => onFocus();
    addEventListener('focus', listener);
    document.addEventListener('visibilitychange', listener);
    return () => {
      removeEventListener('focus', listener);
      document.removeEventListener('visibilitychange', listener);
    };
  });
}
