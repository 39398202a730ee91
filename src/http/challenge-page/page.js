/** The page that confirms a signup: sends the token of its address, and the code where one is needed, when the button is pressed. */
const token = location.hash.slice(1);
const needsCode = token.startsWith('gcp.');
const isKnown = needsCode || token.startsWith('gcl.');

const find = (selector) => document.querySelector(selector);
const [form, button, code] = [find('form'), find('button'), find('#code')];

/** Texts that people read instead of an error's own text, which is for the application. */
const TEXTS = {
  challenge_expired: 'This confirmation has expired. Please sign up again.',
  challenge_invalid: 'This link is not complete or no longer valid. Open the link from the email again.',
  challenge_redeemed: 'This confirmation is no longer valid. Please sign up again.',
};
const NOT_REACHED = 'The confirmation could not be sent. Please try again in a moment.';

function show(text, isWrong = false) {
  const message = find('#message');
  message.textContent = text;
  message.classList.toggle('wrong', isWrong);
}

function showDone(returnUrl) {
  form.hidden = true;
  show('Thank you. Your sign-up is confirmed.');
  if (returnUrl === null) return;
  const link = document.createElement('a');
  link.href = returnUrl;
  link.textContent = 'Continue';
  find('#onward').replaceChildren(link);
  location.replace(returnUrl);
}

async function confirm() {
  const message = needsCode ? { token, code: code.value } : { token };
  const response = await fetch('confirm', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(message),
  });
  const answer = await response.json();
  if (response.ok) return showDone(answer.return_url);
  const { code: problem, message: text, resolution } = answer.error;
  show(TEXTS[problem] ?? `${text} ${resolution}`, true);
  if (needsCode) code.focus();
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  button.disabled = true;
  show('');
  await confirm().catch(() => show(NOT_REACHED, true));
  button.disabled = false;
});

if (isKnown) {
  find('#intro').textContent = needsCode
    ? 'We sent you an email. Enter the code from it, or open its link.'
    : 'Press the button to finish your sign-up.';
  find('#code-field').hidden = !needsCode;
  code.required = needsCode;
  form.hidden = false;
} else show(TEXTS.challenge_invalid, true);
addEventListener('hashchange', () => location.reload());
