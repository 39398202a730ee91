/** The page of an appeal: sends what a person writes, with the token of its address. It never says why she was stopped. */
const token = location.hash.slice(1);
const MAX_LENGTH = 1_000;

const find = (selector) => document.querySelector(selector);
const [form, button, text, contact] = [find('form'), find('button'), find('#text'), find('#contact')];

const NOT_VALID = 'This link is not complete or no longer valid. Go back to the site where you signed up.';
const TOO_OFTEN = 'That was very often. Please try again in a minute.';
const NOT_SENT = 'This could not be sent. Please try again in a moment.';
const TOO_MANY = 429;
const REFUSED = 400;

function show(words, isWrong = false) {
  const message = find('#message');
  message.textContent = words;
  message.classList.toggle('wrong', isWrong);
}

function countLeft() {
  find('#left').textContent = `${MAX_LENGTH - text.value.length} characters left`;
}

async function send() {
  const response = await fetch('send', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token, text: text.value, contact: contact.value }),
  });
  if (response.ok) {
    form.hidden = true;
    return show('Thank you. A person will read this.');
  }
  if (response.status === TOO_MANY) return show(TOO_OFTEN, true);
  show(response.status === REFUSED ? NOT_VALID : NOT_SENT, true);
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  if (text.value.trim() === '') {
    show('Please write what happened.', true);
    return text.focus();
  }
  button.disabled = true;
  show('');
  await send().catch(() => show(NOT_SENT, true));
  button.disabled = false;
});
text.addEventListener('input', countLeft);

if (token === '') show(NOT_VALID, true);
else {
  countLeft();
  form.hidden = false;
}
addEventListener('hashchange', () => location.reload());
