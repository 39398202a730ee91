/** Parts of the pages. */

export function Form({ action }: { action: (form: FormData) => void | Promise<void> }) {
  return (
    <>
      <h1>Create an account</h1>
      <form action={action}>
        <label htmlFor="email">Email</label>
        <input id="email" name="email" type="email" autoComplete="email" required />
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
