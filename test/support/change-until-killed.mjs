/** Changes keys or lists of an account in a store, each with its audit entry, as fast as it can, until it is killed. An entry of a list also has how it is taken back. */
const [url, accountId, what] = process.argv.slice(2);
const AT_ONCE = 8;

const { createMakeId } = await import('../../dist/contract/identifiers.js');
const store = url.startsWith('postgres')
  ? await (await import('../../dist/store/postgres/postgres.js')).openPostgresStore({ url })
  : (await import('../../dist/store/sqlite/sqlite.js')).openSqliteStore({ directory: url });
const makeId = createMakeId();

const changes = { keys: changeKey, lists: changeList };

function auditOf(at, action, target) {
  return { at, by: 'command line (test)', accountId, action, target, detail: '' };
}

async function changeKey(at) {
  const id = makeId('key', at);
  const none = { enforcedShare: 100, thresholds: null, lastUsedAt: null, revokedAt: null };
  const key = { id, accountId, name: 'n', mode: 'live', hash: id, prefix: 'gh', createdAt: at, ...none };
  await store.saveKey(key, auditOf(at, 'key.create', id));
}

async function changeList(at) {
  const id = makeId('lst', at);
  const steps = { reports: [], entries: [{ id, version: 'v', before: null }], decisions: [] };
  const undo = { id: makeId('act', at), accountId, attack: 'cmp_1', at, undo: steps };
  const value = `${id.slice(4).toLowerCase()}.example`;
  const entry = { id, accountId, action: 'deny', kind: 'domain', value, shown: value, createdAt: at };
  const none = { reason: null, author: 'jo', expiresAt: null, hits: 0, lastHitAt: null };
  await store.saveListEntry({ ...entry, ...none }, { ...auditOf(at, 'list.deny', id), undo });
}

async function changeAndChange() {
  for (;;) {
    await changes[what](Date.now());
    process.stdout.write('.');
  }
}

await Promise.all(Array.from({ length: AT_ONCE }, changeAndChange));
