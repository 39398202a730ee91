// Somebody who was removed from their last account signs in again and reads what the dashboard shows.
import { claimOperator, openBrowser, statusesOf } from '../attack-parts/browser.mjs';
import { startTarget } from '../attack-parts/target.mjs';

const API = '/dashboard/api';
const EMAIL = 'leaver@example.com';
const PASSWORD = 'the password of the leaver';

export const attack = {
  what: 'a member is removed from their only account; the session that was open and a new one read the intelligence, a check of a domain, and lists, keys, signups and audit log of the account',
  before: '`/dashboard/api/intelligence` was answered 200',
  async run() {
    const target = await startTarget({ plan: 'business' });
    const operator = await claimOperator(target);
    const of = `${API}/accounts/${target.account}`;
    const paths = [
      `${API}/intelligence`,
      `${API}/intelligence/check?q=mailinator.com`,
      ...['lists', 'keys', 'assessments', 'audit'].map((name) => `${of}/${name}`),
    ];
    const read = async (browser) => {
      const answers = [];
      for (const path of paths) answers.push(await browser.send('GET', path));
      return answers;
    };
    const invitation = { email: EMAIL, account_id: target.account, role: 'owner' };
    const { link } = await send(operator, 'POST', `${API}/operator/invitations`, invitation);
    const body = { secret: link.split('#')[1], name: 'Lea Leaver', password: PASSWORD };
    const open = openBrowser(target);
    await send(open, 'POST', `${API}/invitations`, body);
    const signIn = (browser) =>
      send(browser, 'POST', '/dashboard/auth/sign-in/email', { email: EMAIL, password: PASSWORD });
    await signIn(open);
    const before = await read(open);
    const { user } = await send(open, 'GET', `${API}/session`);
    const membership = { user_id: user.id, account_id: target.account };
    await send(operator, 'DELETE', `${API}/operator/memberships`, membership);
    const fresh = openBrowser(target);
    await signIn(fresh);
    const after = [...(await read(open)), ...(await read(fresh))];
    const failures = after
      .filter(({ status }) => ![401, 403, 404].includes(status))
      .map(({ status, text }) => `${status}: ${text.slice(0, 200)}`);
    if (before.some(({ status }) => status !== 200)) failures.push(`as an owner: ${statusesOf(before)}`);
    return { seen: `before the removal ${statusesOf(before)}; after it ${statusesOf(after)}`, failures };
  },
};

async function send(browser, method, path, body) {
  const { status, text } = await browser.send(method, path, body);
  if (status >= 300) throw new Error(`${method} ${path} was answered ${status}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}
