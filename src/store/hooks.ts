/** Hooks in both databases: every change gets a new version of the directory, so that services find it. */
import type { Hook, HookAnswer, HookSource } from '../model/hook.ts';
import type { KeyMode } from '../model/key-mode.ts';
import type { HookChanges, HookStore } from './hook-store.ts';
import { insertVersioned, type SqlDatabase, type SqlStatement, type SqlValue } from './sql-database.ts';

type HookRow = Readonly<Record<string, string | number | null>>;

const READ_CHANGED = 'SELECT * FROM hooks WHERE version > $1 ORDER BY id';

/** The values are numbered as the columns of the row. */
const UNLESS_NAMED = `WHERE NOT EXISTS (SELECT 1 FROM hooks
  WHERE account_id = $2 AND provider = $3 AND name = $4 AND mode = $5 AND revoked_at IS NULL) RETURNING id`;

export function createHookStore(database: SqlDatabase): HookStore {
  const { change } = database;
  const nextVersion = database.nextVersion('directory');
  const newVersion = database.newVersion('directory');
  return {
    async saveHook(hook, ...audit) {
      await change(
        audit,
        ...nextVersion,
        insertVersioned('hooks', toRow(hook), newVersion, 'WHERE true RETURNING id'),
      );
    },
    async saveHookOnce(hook, ...audit) {
      const insert = insertVersioned('hooks', toRow(hook), newVersion, UNLESS_NAMED);
      const lock = database.lock(`names of ${hook.accountId}`);
      return (await change(audit, ...lock, ...nextVersion, insert)).length > 0;
    },
    async changeHook(id, changes, ...audit) {
      await change(audit, ...nextVersion, update(id, changes, newVersion));
    },
  };
}

export async function hooksSince({ query }: Pick<SqlDatabase, 'query'>, version: number): Promise<Hook[]> {
  return (await query<HookRow>(READ_CHANGED, [version])).map(toHook);
}

function update(id: string, { secrets, reach, revokedAt }: HookChanges, newVersion: string): SqlStatement {
  const columns: [string, SqlValue][] = [];
  if (secrets !== undefined) columns.push(...Object.entries(secretColumns(secrets)));
  if (reach !== undefined) columns.push(['reach', reach]);
  const sets = columns.map(([name], at) => `${name} = $${at + 2}`);
  const values: SqlValue[] = [id, ...columns.map(([, value]) => value)];
  if (revokedAt !== undefined) {
    values.push(revokedAt);
    sets.push(`revoked_at = coalesce(revoked_at, $${values.length})`);
  }
  const all = [...sets, `version = ${newVersion}`].join(', ');
  return { sql: `UPDATE hooks SET ${all} WHERE id = $1 RETURNING id`, values };
}

function toRow(hook: Hook) {
  return {
    id: hook.id,
    account_id: hook.accountId,
    provider: hook.provider,
    name: hook.name,
    mode: hook.mode,
    ...secretColumns(hook.secrets),
    reach: hook.reach,
    challenge_as: hook.challengeAs,
    on_error: hook.onError,
    created_at: hook.createdAt,
    last_used_at: hook.lastUsedAt,
    revoked_at: hook.revokedAt,
  };
}

function secretColumns({ current, previous }: Hook['secrets']) {
  return {
    secret: current,
    previous_secret: previous?.text ?? null,
    previous_until: previous?.until ?? null,
  };
}

function toHook(row: HookRow): Hook {
  const { previous_secret: text, previous_until: until } = row;
  const previous = text === null ? null : { text: text as string, until: until as number };
  return {
    id: row.id as string,
    accountId: row.account_id as string,
    provider: row.provider as HookSource,
    name: row.name as string,
    mode: row.mode as KeyMode,
    secrets: { current: row.secret as string | null, previous },
    reach: row.reach as Hook['reach'],
    challengeAs: row.challenge_as as HookAnswer,
    onError: row.on_error as HookAnswer,
    createdAt: row.created_at as number,
    lastUsedAt: row.last_used_at as number | null,
    revokedAt: row.revoked_at as number | null,
  };
}
