/** Remembers the address that was searched for last, for the next form. In memory alone: never in a URL, a history or a storage. */
import { createContext, type ReactNode, useContext, useMemo, useRef } from 'react';

interface PastedAddress {
  remember(text: string): void;
  /** Empty where nothing was pasted. */
  recall(): string;
}

const Context = createContext<PastedAddress>({ remember: () => {}, recall: () => '' });

export function usePastedAddress(): PastedAddress {
  return useContext(Context);
}

export function PastedAddressProvider({ children }: { children: ReactNode }) {
  const pasted = useRef('');
  const value = useMemo(
    () => ({
      remember(text: string) {
        if (text.includes('@')) pasted.current = text.trim();
      },
      recall: () => pasted.current,
    }),
    [],
  );
  return <Context.Provider value={value}>{children}</Context.Provider>;
}
