/** Stores what people did about attacks, in both databases. */
import type { AttackAction, AttackActionStore, UndoSteps } from './attack-action-store.ts';
import type { SqlDatabase, SqlStatement } from './sql-database.ts';
import { decodeText, encodeText } from './text.ts';

interface ActionRow {
  readonly id: string;
  readonly account_id: string;
  readonly attack: string;
  readonly at: number;
  readonly undo: string;
}

const READ = 'SELECT * FROM attack_actions WHERE account_id = $1';
const OF_ATTACK = 'AND attack = $2';
const NEWEST_FIRST = 'ORDER BY at DESC, id DESC';
const CHANGE = 'UPDATE attack_actions SET undo = $3 WHERE account_id = $1 AND id = $2 RETURNING id';
const REMOVE = 'DELETE FROM attack_actions WHERE account_id = $1 AND id = $2 RETURNING id';
const OLD = 'SELECT id FROM attack_actions WHERE at < $1';

export function createAttackActionStore({ query, change }: SqlDatabase): AttackActionStore {
  return {
    async attackActions(accountId, attack) {
      const [sql, values] =
        attack === undefined
          ? [`${READ} ${NEWEST_FIRST}`, [accountId]]
          : [`${READ} ${OF_ATTACK} ${NEWEST_FIRST}`, [accountId, encodeText(attack)]];
      return (await query<ActionRow>(sql, values)).map(toAction);
    },
    async changeAttackAction(accountId, id, undo) {
      await change([], { sql: CHANGE, values: [accountId, id, toText(undo)] });
    },
    async removeAttackAction(accountId, id) {
      await change([], { sql: REMOVE, values: [accountId, id] });
    },
    async pruneAttackActions(before, maxPruned) {
      if ((await query(`${OLD} LIMIT 1`, [before])).length === 0) return 0;
      const sql = `DELETE FROM attack_actions WHERE id IN (SELECT id FROM (${OLD} ORDER BY id LIMIT $2) AS old) RETURNING id`;
      return (await change([], { sql, values: [before, maxPruned] })).length;
    },
  };
}

/** @param condition for SQLite, which decides within the statement whether to store it */
export function insertAction(
  { id, accountId, attack, at, undo }: AttackAction,
  condition = 'true',
): SqlStatement {
  return {
    sql: `INSERT INTO attack_actions (id, account_id, attack, at, undo)
      SELECT $1, $2, $3, CAST($4 AS bigint), $5 WHERE ${condition} RETURNING id`,
    values: [id, accountId, encodeText(attack), at, undo === null ? '' : toText(undo)],
  };
}

function toAction({ id, account_id: accountId, attack, at, undo }: ActionRow): AttackAction {
  return { id, accountId, attack: decodeText(attack), at, undo: readSteps(undo) };
}

const toText = (undo: UndoSteps): string => encodeText(JSON.stringify(undo));

function readSteps(text: string): UndoSteps | null {
  try {
    return JSON.parse(decodeText(text)) as UndoSteps;
  } catch {
    return null;
  }
}
