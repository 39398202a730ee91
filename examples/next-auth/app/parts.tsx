/** Parts of the pages. */
'use client';

import { useEffect, useRef } from 'react';

/** The form. When the visitor is back from the proof of work, it is sent again. */
export function Form({ action }: { action: (form: FormData) => void | Promise<void> }) {
  const form = useRef<HTMLFormElement>(null);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const email = sessionStorage.getItem('email');
    sessionStorage.removeItem('email');
    if (location.search !== '?proved' || email === null || input.current === null) return;
    input.current.value = email;
    form.current?.requestSubmit();
  }, []);
  return (
    <>
      <h1>Create an account</h1>
      <form
        ref={form}
        action={action}
        onSubmit={() => sessionStorage.setItem('email', input.current?.value ?? '')}
      >
        <label htmlFor="email">Email</label>
        <input ref={input} id="email" name="email" type="email" autoComplete="email" required />
        <button type="submit">Sign up</button>
      </form>
    </>
  );
}

export function Welcome({ isSignedIn }: { isSignedIn: boolean }) {
  return isSignedIn ? (
    <>
      <h1>Welcome</h1>
      <p>Your account is ready.</p>
    </>
  ) : (
    <h1>You are not signed in</h1>
  );
}
