// A person whose family has a domain of its own is erased: what names the domain afterwards, byte by byte?
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { assess } from '../attack-parts/sockets.mjs';
import { startTarget } from '../attack-parts/target.mjs';
import { startDns } from '../dns.mjs';
import { gatehouse, start, startArgs } from '../process.mjs';

const OWN = 'doe-familienname.com';
const SIGNUPS = 5;
const GIVE_UP_MS = 30_000;

export const attack = {
  what: `a person with a domain of their own signs up ${SIGNUPS} times and is erased beside the running service; every file of the data folder is searched for the domain, again after a stop and after one more run`,
  before: '8 places, in entries with the account’s id',
  async run() {
    const dns = await startDns();
    try {
      const target = await startTarget({ plan: 'business', env: { GATEHOUSE_DNS_SERVERS: dns.address } });
      for (let at = 0; at < SIGNUPS; at += 1) {
        const body = { email: `anna+${at}@${OWN}`, ip: '79.192.0.30', session_id: `visit-${at}` };
        const { status, text } = await assess(target, body);
        if (status !== 200) throw new Error(`a signup was answered ${status}: ${text}`);
      }
      await until(() => places(target, 'host-record:').length > 0);
      const before = places(target).length;
      const erase = ['privacy', 'erase', '--account', target.account, '--email', `anna@${OWN}`, '--yes'];
      const { assessments } = gatehouse(erase, target.environment);
      await until(() => places(target).length === 0);
      const running = places(target).length;
      await target.stop();
      const stopped = places(target).length;
      const again = await start(startArgs(), target.environment, undefined, (child) => {
        target.child = child;
      });
      await again.stop();
      const after = [running, stopped, places(target).length];
      return {
        seen: `${before} places before; ${assessments} signups erased; then ${after[0]}, after a stop ${after[1]}, after one more run ${after[2]}`,
        failures: [
          ...(before === 0 ? ['the domain was never stored, so nothing was shown'] : []),
          ...(assessments === SIGNUPS ? [] : [`${assessments} of ${SIGNUPS} signups were erased`]),
          ...(Math.max(...after) === 0 ? [] : places(target)),
        ],
      };
    } finally {
      dns.close();
    }
  },
};

/** Places of the domain: the file and the bytes around it. */
function places({ dataDir }, prefix = '') {
  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((file) =>
    file.isFile(),
  );
  return files.flatMap(({ parentPath, name }) => {
    const text = read(join(parentPath, name));
    return [...text.matchAll(new RegExp(`${prefix}[^\\0]{0,40}${OWN}`, 'g'))].map(
      ([found]) => `${name}: ${JSON.stringify(found)}`,
    );
  });
}

/** A file that SQLite removed meanwhile has nothing in it. */
function read(file) {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

async function until(isTrue) {
  const end = Date.now() + GIVE_UP_MS;
  while (!isTrue() && Date.now() < end) await sleep(200);
}
