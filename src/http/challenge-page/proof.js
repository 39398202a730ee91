/** The proof of work on the page: shows ALTCHA's widget, whose worker solves the challenge when the visitor ticks its box. */
import './altcha.js';

const { algorithms, i18n } = globalThis.$altcha;
algorithms.set('PBKDF2/SHA-256', () => new Worker('pbkdf2.js'));
i18n.set('en', {
  ...i18n.get('en'),
  label: 'Check my browser',
  verifying: 'Checking…',
  verified: 'Checked',
});

/** Settings that send nothing about the visitor, and show no link that leads away. */
const SETTINGS = {
  hideFooter: true,
  hideLogo: true,
  humanInteractionSignature: false,
  minDuration: 0,
};

export function showWidget(place, challenge, { onStarted, onSolved, onFailed }) {
  const style = document.createElement('link');
  style.rel = 'stylesheet';
  style.href = 'altcha.css';
  document.head.prepend(style);
  const widget = document.createElement('altcha-widget');
  widget.addEventListener('statechange', ({ detail }) => {
    if (detail.state === 'verifying') onStarted();
    if (detail.state === 'verified') onSolved(detail.payload);
    if (detail.state === 'error') onFailed();
  });
  widget.setAttribute('challenge', JSON.stringify(challenge));
  widget.setAttribute('configuration', JSON.stringify(SETTINGS));
  place.replaceChildren(widget);
}
