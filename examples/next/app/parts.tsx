/** Parts that the pages of both forms share. */

export function Fields({
  isPending = false,
  problem,
}: {
  isPending?: boolean;
  problem?: string | undefined;
}) {
  return (
    <>
      <p role="alert">{problem}</p>
      <label htmlFor="email">Email</label>
      <input id="email" name="email" type="email" autoComplete="email" required />
      <label htmlFor="password">Password</label>
      <input id="password" name="password" type="password" autoComplete="new-password" required />
      <button type="submit" disabled={isPending}>
        Sign up
      </button>
    </>
  );
}

/** @param reference helps your support to find the signup in the dashboard */
export function Blocked({ reference = '–' }: { reference?: string | undefined }) {
  return (
    <>
      <h1>We cannot create this account</h1>
      <p>If you think that this is a mistake, write to our support.</p>
      <p>
        Reference: <code>{reference}</code>
      </p>
    </>
  );
}
