/** The page of the signup, with the script that talks to better-auth. */

export const formPage = () => `<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width">
  <link rel="icon" href="data:,">
  <title>Create an account</title>
  <link rel="stylesheet" href="/altcha.css">
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
      <div id="proof"></div>
      <button>Sign up</button>
    </form>
  </main>
  <script type="module">
    const byId = (id) => document.getElementById(id);
    const form = document.querySelector('form');
    let solution = '';
    let attempt = '';

    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      const email = byId('email').value;
      if (solution === '') attempt = crypto.randomUUID();
      const answer = await fetch('/api/auth/sign-up/email', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-attempt': attempt, 'x-gatehouse-solution': solution },
        body: JSON.stringify({ email, password: byId('password').value, name: email }),
      });
      const { message, challenge } = await answer.json();
      if (answer.ok) end('Welcome', 'Your account is ready.');
      else if (answer.status === 423 && challenge) prove(challenge);
      else if (answer.status === 403) end('We cannot create this account', message);
      else say(document.title, message);
    });

    /** Shows a checkbox. When it is ticked, the browser does the work, and the form is sent again with the solution. */
    async function prove(challenge) {
      say('Confirm your sign-up', 'Tick the box: your browser then does a calculation.');
      await import('/altcha.js');
      $altcha.algorithms.set('PBKDF2/SHA-256', () => new Worker('/pbkdf2.js'));
      $altcha.i18n.set('en', { ...$altcha.i18n.get('en'), label: 'Check my browser' });
      const widget = document.createElement('altcha-widget');
      widget.addEventListener('statechange', ({ detail }) => {
        if (detail.state !== 'verified') return;
        solution = detail.payload;
        form.requestSubmit();
      });
      widget.setAttribute('challenge', challenge);
      widget.setAttribute('configuration', JSON.stringify({ hideFooter: true, hideLogo: true, minDuration: 0 }));
      byId('account').hidden = true;
      byId('proof').replaceChildren(widget);
      form.querySelector('button').hidden = true;
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
