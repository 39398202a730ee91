/** gatehouse user end-sessions */
import type { Command } from 'commander';
import { auditLogsOf } from '../accounts/audit-logs-of.ts';
import { auditEntry } from './audit-entry.ts';
import { command, printOne } from './output.ts';
import { withStore } from './records.ts';
import { findPerson } from './user-find-person.ts';

export function userEndSessions(): Command {
  return command('end-sessions', 'Sign a user out everywhere. The password does not change.')
    .argument('<user>', 'email or id')
    .addHelpText('after', '\nExample:\n  gatehouse user end-sessions jo@example.com')
    .action(async (text: string, options: { json?: true }) => {
      const row = await withStore(async (store) => {
        const person = await findPerson(store, text);
        const { id, email } = person;
        const sessions = await store.sessions(id);
        const accountsToAudit = await auditLogsOf(store, person);
        const entries = accountsToAudit.map((accountId) =>
          auditEntry(accountId, 'sessions_ended', email, ''),
        );
        await store.endSessions({ userId: id }, ...entries);
        return { id, email, sessions_ended: sessions.length };
      });
      printOne(row, options);
    });
}
