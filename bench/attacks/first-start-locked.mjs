// Another program holds the database of a first start, before it and right after the account was stored: are keys lost?
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { startTarget } from '../attack-parts/target.mjs';
import { makeDirectory, removeDirectory } from '../clean-up.mjs';

const HELD_MS = 2_000;
const GIVE_UP_MS = 30_000;

export const attack = {
  what: `another program holds the database of a first start for ${HELD_MS / 1000} s: before the start, and once the account is stored`,
  before: 'exit status 1 (4 of 4); the live key was lost, and the next start handed over none',
  async run() {
    const [early, late] = [await firstStart(true), await firstStart(false)];
    const describe = ({ status, held }) => `the key answers ${status} (held with ${held} accounts stored)`;
    return {
      seen: `before: ${describe(early)}; after: ${describe(late)}`,
      failures: [early, late].flatMap(({ status }) => (status === 200 ? [] : ['the first live key is lost'])),
    };
  },
};

async function firstStart(isBefore) {
  const { openSqlite } = await import('../../dist/platform/sqlite-driver.js');
  const folder = makeDirectory('first-start');
  const file = join(folder, 'gatehouse.db');
  const holding = hold(openSqlite, file, isBefore);
  if (isBefore) await turn();
  const target = await startTarget({ env: { GATEHOUSE_DATA_DIR: folder } });
  const held = await holding;
  const keys = readFileSync(join(folder, 'first-keys.txt'), 'utf8');
  const key = /sk_live_\w+/.exec(keys)?.[0];
  const { status } = await fetch(`http://127.0.0.1:${target.port}/v1/usage`, {
    headers: { authorization: `Bearer ${key}` },
  });
  await target.stop();
  removeDirectory(folder);
  return { status, held };
}

/** Resolves to the number of accounts that were stored when the database was held. */
async function hold(openSqlite, file, isBefore) {
  const end = Date.now() + GIVE_UP_MS;
  while (!isBefore && !existsSync(file)) await turn();
  const connection = openSqlite(file);
  connection.pragma('busy_timeout = 5000');
  const count = () => {
    try {
      return connection.prepare('SELECT count(*) AS n FROM accounts').get().n;
    } catch {
      // The schema is not there yet.
      return 0;
    }
  };
  while (!isBefore && count() === 0 && Date.now() < end) await turn();
  connection.exec('BEGIN IMMEDIATE');
  const held = count();
  await sleep(HELD_MS);
  connection.exec('ROLLBACK');
  connection.close();
  return held;
}
