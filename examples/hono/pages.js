/** The pages of the signup. */

/**
 * @param {string} title
 * @param {string} content
 */
const page = (title, content) => `<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width">
  <link rel="icon" href="data:,">
  <title>${title}</title>
  <style>
    :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
    main { max-width: 22rem; margin: 4rem auto; padding: 0 1rem }
    label, input, button { display: block; width: 100%; box-sizing: border-box; font: inherit }
    input { margin-bottom: 1rem; padding: .5rem }
    button { padding: .5rem }
  </style>
  <main>
    <h1>${title}</h1>
    ${content}
  </main>
</html>`;

const MIN_PASSWORD_LENGTH = 12;

/**
 * Objection of the application itself to a form; `undefined` for none.
 * @param {any} form
 */
export const problemOf = (form) =>
  String(form?.password ?? '').length < MIN_PASSWORD_LENGTH
    ? `The password needs at least ${MIN_PASSWORD_LENGTH} characters.`
    : undefined;

export const formPage = (problem = '') =>
  page(
    'Create an account',
    `<p role="alert">${problem}</p>
    <form method="post" action="/signup">
      <label for="email">Email</label>
      <input id="email" name="email" type="email" autocomplete="email" required>
      <label for="password">Password</label>
      <input id="password" name="password" type="password" autocomplete="new-password" required>
      <button>Sign up</button>
    </form>`,
  );

export const welcomePage = () => page('Welcome', '<p>Your account is ready.</p>');

/** @param {string | undefined} reference helps your support to find the signup in the dashboard */
export const blockedPage = (reference = '–') =>
  page(
    'We cannot create this account',
    `<p>If you think that this is a mistake, write to our support.</p>
    <p>Reference: <code>${reference}</code></p>`,
  );
