// An authenticator code that many sign-ins use at once.
import {
  authenticatorCode,
  claimOperator,
  openBrowser,
  PASSWORD,
  statusesOf,
} from '../attack-parts/browser.mjs';
import { startTarget } from '../attack-parts/target.mjs';

const SIGN_INS = 8;

export const attack = {
  what: `${SIGN_INS} sign-ins send the same code of an authenticator at once, and one sends it again afterwards`,
  before: 'accepted each time within its window',
  async run() {
    const target = await startTarget();
    const owner = await claimOperator(target);
    const enabled = await owner.send('POST', '/dashboard/auth/two-factor/enable', { password: PASSWORD });
    const address = JSON.parse(enabled.text).totpURI;
    const verify = (browser, code) =>
      browser.send('POST', '/dashboard/auth/two-factor/verify-totp', { code });
    const before = Date.now() - 30_000;
    const enrolled = await verify(owner, authenticatorCode(address, before));
    if (enrolled.status !== 200) throw new Error(`the second factor was not set up: ${enrolled.text}`);
    const browsers = [];
    for (let at = 0; at < SIGN_INS + 1; at += 1) {
      const browser = openBrowser(target);
      await browser.signIn();
      browsers.push(browser);
    }
    const code = authenticatorCode(address, Date.now());
    const answers = await Promise.all(browsers.slice(1).map((browser) => verify(browser, code)));
    const again = await verify(browsers[0], code);
    const accepted = [...answers, again].filter(({ status }) => status === 200).length;
    return {
      seen: `${accepted} accepted: ${statusesOf(answers)}, again ${again.status}`,
      failures: accepted === 1 ? [] : [`${accepted} sign-ins by one code`],
    };
  },
};
