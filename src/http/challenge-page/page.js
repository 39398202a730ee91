/** The page that confirms a signup: sends the token of its address, with the code or the proof of work where one is needed. */
const token = location.hash.slice(1);
const needsCode = token.startsWith('gcp.');
const needsProof = token.startsWith('gcw.');
/** Response of the widget, once it is solved. */
let proof = {};
const isKnown = needsCode || needsProof || token.startsWith('gcl.');

const find = (selector) => document.querySelector(selector);
const [form, button, code] = [find('form'), find('button'), find('#code')];

/** Texts that people read instead of an error's own text, which is for the application. */
const TEXTS = {
  challenge_expired: 'This confirmation has expired. Please sign up again.',
  challenge_invalid: 'This link is not complete or no longer valid. Open the link from the email again.',
  challenge_redeemed: 'This confirmation is no longer valid. Please sign up again.',
  challenge_proof_wrong: 'The check did not succeed. Please load this page again.',
};
const PAGE_INVALID = 'This address is not complete or no longer valid. Go back to where you signed up.';
const NOT_SECURE = 'This page needs a secure connection: its address must begin with https.';
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

/** Posts a message, and shows what is wrong with it. @returns the answer, or `undefined` */
async function post(path, message) {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(message),
  });
  const answer = await response.json();
  if (response.ok) return answer;
  const { code: problem, message: text, resolution } = answer.error;
  const ours = needsProof && problem === 'challenge_invalid' ? PAGE_INVALID : TEXTS[problem];
  show(ours ?? `${text} ${resolution}`, true);
}

async function confirm() {
  const answer = await post('confirm', needsCode ? { token, code: code.value } : { token, ...proof });
  if (answer !== undefined) return showDone(answer.return_url);
  if (needsCode) code.focus();
}

/** Opening the page only asks for the work; the visitor starts it. */
async function startProof() {
  button.hidden = true;
  if (!isSecureContext) return show(NOT_SECURE, true);
  const challenge = await post('proof', { token });
  if (challenge === undefined) return;
  const { showWidget } = await import('./proof.js');
  const place = find('#proof');
  place.hidden = false;
  form.hidden = false;
  showWidget(place, challenge, {
    onStarted: () => show('Your browser is calculating. This can take some seconds.'),
    onSolved(altcha) {
      proof = { altcha };
      form.requestSubmit();
    },
    onFailed: () => show(TEXTS.challenge_proof_wrong, true),
  });
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  button.disabled = true;
  show('');
  await confirm().catch(() => {
    show(NOT_REACHED, true);
    button.hidden = false;
  });
  button.disabled = false;
});

if (needsProof) {
  find('#intro').textContent =
    'Tick the box to finish your sign-up. Your browser then calculates for some seconds, which makes mass sign-ups by programs expensive.';
  startProof().catch(() => show(NOT_REACHED, true));
} else if (isKnown) {
  find('#intro').textContent = needsCode
    ? 'We sent you an email. Enter the code from it, or open its link.'
    : 'Press the button to finish your sign-up.';
  find('#code-field').hidden = !needsCode;
  code.required = needsCode;
  form.hidden = false;
} else show(TEXTS.challenge_invalid, true);
addEventListener('hashchange', () => location.reload());
