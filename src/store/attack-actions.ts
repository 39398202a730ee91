/** Stores what people did about attacks, in both databases. */
import type { AttackAction, AttackActionStore } from './attack-action-store.ts';
import type { SqlDatabase } from './sql-database.ts';
import { encodeText } from './text.ts';

interface ActionRow {
  readonly id: string;
  readonly account_id: string;
  readonly attack: string;
  readonly at: number;
  readonly undo: string;
}

const SAVE = `INSERT INTO attack_actions (id, account_id, attack, at, undo)
  VALUES ($1, $2, $3, $4, $5) RETURNING id`;
const READ = 'SELECT * FROM attack_actions WHERE account_id = $1 AND attack = $2 ORDER BY at DESC, id DESC';
const REMOVE = 'DELETE FROM attack_actions WHERE account_id = $1 AND id = $2 RETURNING id';
const OLD = 'SELECT id FROM attack_actions WHERE at < $1';

export function createAttackActionStore({ query, change }: SqlDatabase): AttackActionStore {
  return {
    async saveAttackAction({ id, accountId, attack, at, undo }) {
      await change([], { sql: SAVE, values: [id, accountId, encodeText(attack), at, undo] });
    },
    async attackActions(accountId, attack) {
      return (await query<ActionRow>(READ, [accountId, encodeText(attack)])).map(toAction);
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

function toAction({ id, account_id: accountId, attack, at, undo }: ActionRow): AttackAction {
  return { id, accountId, attack, at, undo };
}
