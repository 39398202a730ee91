/** gatehouse key revoke */
import type { Command } from 'commander';
import { command, printOne } from '../output.ts';
import { findKey, showKey, withStore } from '../records.ts';

export function keyRevoke(): Command {
  return command('revoke', 'Refuse a key from now on; a running service follows within a second.')
    .argument('<id>', 'the key’s id')
    .action(async (id: string, options: { json?: true }) => {
      await withStore(async (store) => {
        const key = await findKey(store, id);
        const revoked = { ...key, revokedAt: key.revokedAt ?? Date.now() };
        await store.saveKey(revoked);
        printOne(showKey(revoked), options);
      });
    });
}
