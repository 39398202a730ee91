/** Changes keys of an account in a store, each with its audit entry, as fast as it can, until it is killed. */
const [url, accountId] = process.argv.slice(2);
const AT_ONCE = 8;

const { createMakeId } = await import('../../dist/contract/identifiers.js');
const store = url.startsWith('postgres')
  ? await (await import('../../dist/store/postgres/postgres.js')).openPostgresStore({ url })
  : (await import('../../dist/store/sqlite/sqlite.js')).openSqliteStore({ directory: url });
const makeId = createMakeId();

async function changeAndChange() {
  for (;;) {
    const [id, at] = [makeId('key', Date.now()), Date.now()];
    const none = { enforcedShare: 100, thresholds: null, lastUsedAt: null, revokedAt: null };
    const key = { id, accountId, name: 'n', mode: 'live', hash: id, prefix: 'gh', createdAt: at, ...none };
    const entry = { at, by: 'command line (test)', accountId, action: 'key.create', target: id, detail: '' };
    await store.saveKey(key, entry);
    process.stdout.write('.');
  }
}

await Promise.all(Array.from({ length: AT_ONCE }, changeAndChange));
