// Wrong passwords for one operator from one network and from many, all behind one proxy, and then the operator.
import { claimOperator, openBrowser, statusesOf } from '../attack-parts/browser.mjs';
import { startHttpProxy } from '../attack-parts/http-proxy.mjs';
import { startTarget } from '../attack-parts/target.mjs';

const GUESSES = 101;
const AT_ONCE = 8;

export const attack = {
  what: `${GUESSES} wrong passwords for an operator from one network that claims another address each time, and ${GUESSES} more from as many addresses; all through a proxy, with \`GATEHOUSE_TRUST_PROXY=1\``,
  before:
    'the right password from a clean address: 429 for 3,589 s; so was an open session that set up its second factor. Behind a proxy counted as one hop, all visitors were one network: its failures made everybody wait, and cookies were not `__Host-`',
  async run() {
    const service = await startTarget({ env: { GATEHOUSE_TRUST_PROXY: '1' } });
    const proxy = await startHttpProxy(service);
    const target = { ...service, port: proxy.port };
    const session = await claimOperator(target, { at: '127.9.0.1' });
    const known = openBrowser(target, { at: '127.8.0.1' });
    await known.signIn();
    known.forgetSession();
    const near = await guess(target, (at) => ({ at: '127.8.0.1', from: `203.0.${at}.9` }));
    const far = await guess(target, (at) => ({ at: `127.1.${at}.1` }));
    const password = 'a long enough password';
    const after = {
      'from a clean address': await openBrowser(target, { at: '127.7.0.1' }).signIn(),
      'from a known browser in the guessing network': await known.signIn(),
      'a second factor in an open session': await session.send('POST', '/dashboard/auth/two-factor/enable', {
        password,
      }),
    };
    const failures = Object.entries(after)
      .filter(([, { status }]) => status !== 200)
      .map(([who, { status, text }]) => `${who}: ${status} ${text}`);
    if (![...session.cookies.keys()].every((name) => name.startsWith('__Host-')))
      failures.push(`cookies that are not for https alone: ${[...session.cookies.keys()].join(', ')}`);
    if (!near.some(({ status }) => status === 429))
      failures.push('the guessing network was never told to wait');
    await proxy.close();
    const seen = Object.entries(after).map(([who, { status }]) => `${who} ${status}`);
    return {
      seen: `one network: ${statusesOf(near)}; many: ${statusesOf(far)}; then the right password: ${seen.join(', ')}`,
      failures,
    };
  },
};

async function guess(target, whereOf) {
  const answers = [];
  for (let at = 0; at < GUESSES; at += AT_ONCE) {
    const count = Math.min(AT_ONCE, GUESSES - at);
    const round = Array.from({ length: count }, (_, more) =>
      openBrowser(target, whereOf(at + more)).signIn('not the password'),
    );
    answers.push(...(await Promise.all(round)));
  }
  return answers;
}
