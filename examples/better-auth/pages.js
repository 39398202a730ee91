/** The page of the signup, with the script that talks to better-auth. */

export const formPage = () => `<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width">
  <link rel="icon" href="data:,">
  <title>Create an account</title>
  <style>
    :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
    main { max-width: 22rem; margin: 4rem auto; padding: 0 1rem }
    label, input, button { display: block; width: 100%; box-sizing: border-box; font: inherit }
    input { margin-bottom: 1rem; padding: .5rem }
    button { padding: .5rem }
    [hidden] { display: none }
  </style>
  <main>
    <h1>Create an account</h1>
    <p role="status"></p>
    <form>
      <div id="account">
        <label for="email">Email</label>
        <input id="email" type="email" autocomplete="email" required>
        <label for="password">Password</label>
        <input id="password" type="password" autocomplete="new-password" minlength="8" required>
      </div>
      <div id="proof" hidden>
        <label for="code">Code</label>
        <input id="code" inputmode="numeric" autocomplete="one-time-code">
      </div>
      <button>Sign up</button>
    </form>
  </main>
  <script type="module">
    const byId = (id) => document.getElementById(id);
    const form = document.querySelector('form');

    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      const email = byId('email').value;
      const code = byId('code').value;
      const answer = await fetch('/api/auth/sign-up/email', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(code && { 'x-gatehouse-solution': code }) },
        body: JSON.stringify({ email, password: byId('password').value, name: email }),
      });
      const { message } = await answer.json();
      if (answer.ok) end('Welcome', 'Your account is ready.');
      else if (answer.status === 423) askForCode(code !== '');
      else if (answer.status === 403) end('We cannot create this account', message);
      else say(document.title, message);
    });

    function askForCode(isAgain) {
      say('Confirm your address', isAgain ? 'This code is not right.' : 'We have sent you a code.');
      byId('account').hidden = true;
      byId('proof').hidden = false;
      byId('code').required = true;
      byId('code').focus();
    }

    function end(title, text) {
      say(title, text);
      form.hidden = true;
    }

    function say(title, text) {
      document.querySelector('h1').textContent = title;
      document.querySelector('p').textContent = text;
    }
  </script>
</html>`;
