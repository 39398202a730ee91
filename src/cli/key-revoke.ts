/** gatehouse key revoke */
import type { Command } from 'commander';
import { describeKey } from '../accounts/audit-words.ts';
import { auditEntry } from './audit-entry.ts';
import { command, printOne } from './output.ts';
import { findKey, showKey, withStore } from './records.ts';

export function keyRevoke(): Command {
  return command('revoke', 'Refuse a key from now on; a running service follows within a second.')
    .argument('<id>', 'the key’s id')
    .action(async (id: string, options: { json?: true }) => {
      await withStore(async (store) => {
        const key = await findKey(store, id);
        const entry = auditEntry(key.accountId, 'key.revoke', describeKey(key), `${key.prefix}…`);
        const entries = key.revokedAt === null ? [entry] : [];
        await store.changeKey(key.id, { revokedAt: Date.now() }, ...entries);
        printOne(showKey(await findKey(store, id)), options);
      });
    });
}
