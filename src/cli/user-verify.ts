/** gatehouse user verify */
import type { Command } from 'commander';
import { command, printOne } from './output.ts';
import { withStore } from './records.ts';
import { findPerson } from './user-find-person.ts';

export function userVerify(): Command {
  return command(
    'verify',
    'Confirm that a user owns their address. Others who claim it are then not verified.',
  )
    .argument('<user>', 'email or id')
    .action(async (text: string, options: { json?: true }) => {
      const row = await withStore(async (store) => {
        const { id, email } = await findPerson(store, text);
        const entry = { by: 'command line', action: 'person_verified', target: email, detail: id };
        await store.verifyUser(id, { ...entry, at: Date.now(), accountId: null });
        return { id, email, verified: true };
      });
      printOne(row, options);
    });
}
