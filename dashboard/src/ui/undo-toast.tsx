/** Says what was just done, and takes it back for eight seconds. The time waits while the pointer is over it or the focus is in it. */
import { Button } from '@mantine/core';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';
import styles from './undo-toast.module.css';

export interface Undoable {
  /** Sentence on what was done. */
  readonly text: string;
  /** Takes it back. @throws an error with a sentence for people */
  undo(): Promise<unknown>;
}

const OFFERED_MS = 8_000;
const SAID_MS = 4_000;

type Show = (done: Undoable) => void;
const Context = createContext<Show>(() => {});

/** A function that shows a toast; it takes the place of the one before. */
export function useUndoToast(): Show {
  return useContext(Context);
}

export function UndoToasts({ children }: { children: ReactNode }) {
  const [done, setDone] = useState<Undoable>();
  const [said, setSaid] = useState('');
  const [busy, setBusy] = useState(false);
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  const waits = busy || pointed || focused;
  const show = useCallback((next: Undoable) => {
    setSaid('');
    setBusy(false);
    // The element of an earlier toast may go without an event.
    setPointed(false);
    setFocused(false);
    setDone(next);
  }, []);
  useEffect(() => {
    if (done === undefined || waits) return;
    const timer = setTimeout(() => setDone(undefined), OFFERED_MS);
    return () => clearTimeout(timer);
  }, [done, waits]);
  useEffect(() => {
    if (said === '') return;
    const timer = setTimeout(() => setSaid(''), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);

  function takeBack(what: Undoable): void {
    setBusy(true);
    what
      .undo()
      .then(
        () => setSaid('Taken back.'),
        (error: Error) => setSaid(error.message),
      )
      .finally(() => {
        setBusy(false);
        setDone((now) => (now === what ? undefined : now));
      });
  }

  return (
    <Context.Provider value={show}>
      {children}
      <div
        role="status"
        className={styles.place}
        onPointerEnter={() => setPointed(true)}
        onPointerLeave={() => setPointed(false)}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
      >
        {done !== undefined ? (
          <div className={styles.toast}>
            <span>{done.text}</span>
            <Button size="compact-sm" variant="default" loading={busy} onClick={() => takeBack(done)}>
              Undo
            </Button>
          </div>
        ) : (
          said !== '' && <div className={styles.toast}>{said}</div>
        )}
      </div>
    </Context.Provider>
  );
}
