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

export const formPage = () =>
  page(
    'Create an account',
    `<form method="post" action="/auth/signin/email">
      <label for="email">Email</label>
      <input id="email" name="email" type="email" autocomplete="email" required>
      <input name="csrfToken" type="hidden">
      <button disabled>Sign up</button>
    </form>
    <script type="module">
      const { csrfToken } = await (await fetch('/auth/csrf')).json();
      document.querySelector('[name=csrfToken]').value = csrfToken;
      const form = document.querySelector('form');
      form.addEventListener('submit', () => sessionStorage.setItem('email', form.email.value));
      document.querySelector('button').disabled = false;
      // Back from the proof of work: the form is sent again.
      const email = sessionStorage.getItem('email');
      sessionStorage.removeItem('email');
      if (location.search === '?proved' && email) {
        form.email.value = email;
        form.requestSubmit();
      }
    </script>`,
  );

export const confirmPage = () =>
  page('Confirm your address', '<p>We have sent you a link. Your account is ready when you open it.</p>');

export const welcomePage = () => page('Welcome', '<p>Your account is ready.</p>');

/** @param {string | undefined} reference helps your support to find the signup in the dashboard */
export const blockedPage = (reference = '–') =>
  page(
    'We cannot create this account',
    `<p>If you think that this is a mistake, write to our support.</p>
    <p>Reference: <code>${reference}</code></p>`,
  );

export const errorPage = () => page('This did not work', '<p>Please sign up again.</p>');
