// Requests during a large removal from the embedded store: latency at a fixed rate before and during it, its duration, and the CPU of the service.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hashPassword } from '../dist/accounts/password.js';
import { makeLinkSecret } from '../dist/accounts/secret-link.js';
import { openSqlite } from '../dist/platform/sqlite-driver.js';
import { openSqliteStore } from '../dist/store/sqlite/sqlite.js';
import { readCount, readOptions } from '../scripts/read-options.mjs';
import { makeDirectory, ownChild } from './clean-up.mjs';
import { settingsOf } from './contenders.mjs';
import { startDns } from './dns.mjs';
import { fillHistory } from './fill-history.mjs';
import { makeRequests, print, unlimitedKey } from './measure.mjs';
import { openLoop } from './open-loop.mjs';
import { plant } from './plant.mjs';
import { BIN, cpuSeconds, gatehouse, start, startArgs } from './process.mjs';

const { positionals, values } = readOptions(
  `npm run bench -- removals WHAT [options]
  WHAT         person: erases one, with a fortieth of the signups; account: deletes one, with nine tenths
  --records N  stored signups; default 200000 for a person, 1000000 for an account
  --rate N     requests a second; default 500`,
  { words: 1, options: { records: { type: 'string' }, rate: { type: 'string' } } },
);
const [what = 'person'] = positionals;
const WHAT = {
  person: { records: 200_000, begin: erasePerson },
  account: { records: 1_000_000, begin: deleteAccount },
};
if (WHAT[what] === undefined) {
  process.stderr.write(`'${what}' is neither person nor account; --help shows the usage\n`);
  process.exit(2);
}
const records = readCount(values.records, WHAT[what].records);
const rate = readCount(values.rate, 500);
const PERSON_EVERY = 40;
const EMAIL = 'zoe.quandt@gmail.com';
const DAY_MS = 86_400_000;
const BEFORE_SECONDS = 15;
const SLICE_SECONDS = 15;
const PASSWORD = 'correct horse battery';

const dns = await startDns();
const dataDir = join(makeDirectory('removals'), 'data');
const settings = { ...settingsOf(dns, dataDir), GATEHOUSE_DATA_DIR: dataDir };
const file = join(dataDir, 'gatehouse.db');
const { account, id: keyId, key } = unlimitedKey(settings, BIN);
const of = what === 'person' ? { account, key: keyId } : await otherAccount();
await fill(of);
const service = await start(startArgs(), settings, [process.execPath], ownChild);
const { port, pid } = service;
const requests = makeRequests(key);
await untilIndexed();
print(`${records} signups, ${rate} requests a second\n`);
print('                    p50 ms   p99 ms  p99.9 ms  worst ms  not 200  CPU of the service');
await measure('before', BEFORE_SECONDS);
const began = performance.now();
const cpuBefore = cpuSeconds(pid);
const isOver = await WHAT[what].begin(of);
let over;
const watching = (async () => {
  while (!isOver()) await sleep(250);
  over = { seconds: (performance.now() - began) / 1_000, cpu: cpuSeconds(pid) - cpuBefore };
})();
while (over === undefined) await measure('during', SLICE_SECONDS);
await watching;
await measure('after', BEFORE_SECONDS);
print(
  `\nover after ${over.seconds.toFixed(1)} s; the service used ${over.cpu.toFixed(1)} s of processor until then, requests included`,
);
await service.stop();
dns.close();

async function measure(name, seconds) {
  const cpu = cpuSeconds(pid);
  const started = performance.now();
  const { p50, p99, p999, worst, refused, unanswered } = await openLoop({ port, requests, rate, seconds });
  const share = (cpuSeconds(pid) - cpu) / ((performance.now() - started) / 1_000);
  const cells = [p50, p99, p999, worst].map((ms) => ms.toFixed(1).padStart(9)).join('');
  print(
    `${name.padEnd(16)}${cells}${String(refused + unanswered).padStart(9)}${(share * 100).toFixed(0).padStart(8)}%`,
  );
}

async function otherAccount() {
  const { id } = gatehouse(['account', 'create', '--name', 'gone', '--plan', 'business'], settings);
  const made = gatehouse(['key', 'create', '--account', id, '--mode', 'live', '--name', 'gone'], settings);
  return { account: id, key: made.id };
}

async function fill({ account, key }) {
  const [to, from] = [Date.now(), Date.now() - 30 * DAY_MS];
  if (what === 'person')
    return plant({ bin: BIN, dataDir, account, key, from, to, rows: records, personEvery: PERSON_EVERY });
  const database = openSqlite(file);
  fillHistory(database, { account, key, rows: records, from, to });
  database.close();
}

/** The pages and the removals need the index. */
async function untilIndexed() {
  const store = openSqliteStore({ directory: dataDir });
  while ((await store.indexing()) !== null) await sleep(500);
  await store.close();
}

/** Runs a query on the database file. */
function read(sql) {
  const database = openSqlite(file, { readOnly: true });
  try {
    return database.prepare(sql).get();
  } finally {
    database.close();
  }
}

/** Removes it as an owner does in the dashboard. */
async function erasePerson({ account }) {
  const email = 'owner@people.example';
  const store = openSqliteStore({ directory: dataDir });
  const { tokenHash } = makeLinkSecret();
  const expiresAt = Date.now() + DAY_MS;
  const invitation = { id: `inv_${randomUUID()}`, tokenHash, email, accountId: account, role: 'owner' };
  await store.saveInvitation({ ...invitation, invitedBy: 'bench', expiresAt, acceptedAt: null });
  const user = {
    id: `usr_${randomUUID()}`,
    email,
    name: 'Owner',
    passwordHash: await hashPassword(PASSWORD),
  };
  await store.joinAsNewUser(user, tokenHash, Date.now());
  await store.close();
  const send = async (path, body, cookie = '') => {
    const headers = { 'Content-Type': 'application/json', 'X-Gatehouse': 'dashboard', cookie };
    const answer = await fetch(`http://127.0.0.1:${port}/dashboard/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (answer.status !== 200)
      throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`);
    return answer;
  };
  const signedIn = await send('auth/sign-in/email', { email, password: PASSWORD });
  const cookie = signedIn.headers
    .getSetCookie()
    .map((text) => text.split(';', 1)[0])
    .join('; ');
  const began = performance.now();
  void send(`api/accounts/${account}/privacy/erase`, { email: EMAIL }, cookie).then(async (answer) => {
    const { assessments } = await answer.json();
    print(`(answered after ${((performance.now() - began) / 1_000).toFixed(1)} s: ${assessments} signups)`);
  });
  return () => read('SELECT count(*) AS n FROM erasures WHERE applied_at IS NOT NULL').n > 0;
}

async function deleteAccount({ account }) {
  gatehouse(['account', 'delete', account, '--yes'], settings);
  return () => read('SELECT count(*) AS n FROM account_deletions WHERE id IS NOT NULL').n === 0;
}
