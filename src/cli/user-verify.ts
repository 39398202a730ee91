/** gatehouse user verify */
import type { Command } from 'commander';
import { auditLogsOf } from '../accounts/audit-logs-of.ts';
import { nameActor } from '../accounts/name-user.ts';
import { auditEntry } from './audit-entry.ts';
import { command, printOne } from './output.ts';
import { withStore } from './records.ts';
import { findPerson } from './user-find-person.ts';

export function userVerify(): Command {
  return command(
    'verify',
    'Confirm that a user owns their address. Other users who claim it are then not verified.',
  )
    .argument('<user>', 'email or id')
    .addHelpText('after', '\nExample:\n  gatehouse user verify jo@example.com')
    .action(async (text: string, options: { json?: true }) => {
      const row = await withStore(async (store) => {
        const person = await findPerson(store, text);
        const { id, email } = person;
        const accounts = await auditLogsOf(store, person);
        const entries = accounts.map((of) => auditEntry(of, 'person_verified', nameActor(person, of), ''));
        await store.verifyUser(id, ...entries);
        return { id, email, verified: true };
      });
      printOne(row, options);
    });
}
