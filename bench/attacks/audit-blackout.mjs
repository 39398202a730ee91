// An owner who hides what the audit log says: signups whose session ids are the log's own words, and an erasure of "that person".
import { claimOperator } from '../attack-parts/browser.mjs';
import { assess } from '../attack-parts/sockets.mjs';
import { startTarget } from '../attack-parts/target.mjs';

const VICTIM = 'mallory@example.net';

export const attack = {
  what: 'an owner changes lists, thresholds and keys, sends signups of one address with each word of the audit log as their session id, and erases that address',
  before: '`list.allow`, `thresholds.set`, `key.create` and the operator’s own entries were blacked out',
  async run() {
    const target = await startTarget({ plan: 'business' });
    const owner = await claimOperator(target);
    const path = `/dashboard/api/accounts/${target.account}`;
    const send = async (method, to, body) => {
      const { status, text } = await owner.send(method, `${path}/${to}`, body);
      if (status >= 300) throw new Error(`${method} ${to} was answered ${status}: ${text}`);
      return text === '' ? undefined : JSON.parse(text);
    };
    const rows = async () => (await send('GET', 'audit')).rows;
    await send('POST', 'lists', {
      action: 'allow',
      value: 'evil-partner.example',
      reason: 'let my own farm in',
    });
    await send('POST', 'lists', { action: 'deny', value: 'max@example.net', reason: 'seen by operations' });
    await send('PUT', 'thresholds', { challenge: 99, block: 100 });
    await send('POST', 'keys', { name: 'exfil key', mode: 'live' });
    const before = await rows();
    const words = before.flatMap(({ target: of, detail }) => [
      of,
      detail,
      ...`${of} ${detail}`.split(/[ ,;]+/),
    ]);
    const sessions = [...new Set(words)].filter((word) => word !== '');
    for (const session_id of sessions) {
      const { status, text } = await assess(target, { email: VICTIM, session_id });
      if (status !== 200) throw new Error(`a signup was answered ${status}: ${text}`);
    }
    const { assessments } = await send('POST', 'privacy/erase', { email: VICTIM, session_id: '100' });
    const after = (await rows()).slice(1);
    const changed = before.filter((row, at) => JSON.stringify(row) !== JSON.stringify(after[at]));
    const failures = changed.map(({ action, target: of, detail }) => `${action}: ${of}, ${detail}`);
    if (assessments !== sessions.length)
      failures.push(`${assessments} of ${sessions.length} signups were erased`);
    return {
      seen: `${sessions.length} words; ${changed.length} of ${before.length} entries changed`,
      failures,
    };
  },
};
