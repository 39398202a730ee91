// Wrong passwords for one operator from one network and from many, and then the operator.
import { claimOperator, openBrowser, statusesOf } from '../attack-parts/browser.mjs';
import { startTarget } from '../attack-parts/target.mjs';

const GUESSES = 101;
const AT_ONCE = 8;

export const attack = {
  what: `${GUESSES} wrong passwords for an operator from one network, and ${GUESSES} more from as many addresses`,
  before:
    'the right password from a clean address: 429 for 3,589 s; so was an open session that set up its second factor',
  async run() {
    const target = await startTarget({ env: { GATEHOUSE_TRUST_PROXY: 'on' } });
    const session = await claimOperator(target, { from: '192.0.2.9' });
    const known = openBrowser(target, { from: '198.18.0.1' });
    await known.signIn();
    known.forgetSession();
    const near = await guess(target, () => '198.18.0.1');
    const far = await guess(target, (at) => `203.0.${at}.1`);
    const password = 'a long enough password';
    const after = {
      'from a clean address': await openBrowser(target, { from: '192.0.2.77' }).signIn(),
      'from a known browser in the guessing network': await known.signIn(),
      'a second factor in an open session': await session.send('POST', '/dashboard/auth/two-factor/enable', {
        password,
      }),
    };
    const failures = Object.entries(after)
      .filter(([, { status }]) => status !== 200)
      .map(([who, { status, text }]) => `${who}: ${status} ${text}`);
    if (!near.some(({ status }) => status === 429))
      failures.push('the guessing network was never told to wait');
    const seen = Object.entries(after).map(([who, { status }]) => `${who} ${status}`);
    return {
      seen: `one network: ${statusesOf(near)}; many: ${statusesOf(far)}; then the right password: ${seen.join(', ')}`,
      failures,
    };
  },
};

async function guess(target, addressOf) {
  const answers = [];
  for (let at = 0; at < GUESSES; at += AT_ONCE) {
    const count = Math.min(AT_ONCE, GUESSES - at);
    const round = Array.from({ length: count }, (_, more) =>
      openBrowser(target, { from: addressOf(at + more) }).signIn('not the password'),
    );
    answers.push(...(await Promise.all(round)));
  }
  return answers;
}
