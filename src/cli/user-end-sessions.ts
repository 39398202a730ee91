/** gatehouse user end-sessions */
import type { Command } from 'commander';
import { command, printOne } from './output.ts';
import { withStore } from './records.ts';
import { findPerson } from './user-find-person.ts';

export function userEndSessions(): Command {
  return command('end-sessions', 'Sign somebody out wherever they are signed in. The password stays.')
    .argument('<user>', 'email or id')
    .action(async (text: string, options: { json?: true }) => {
      const row = await withStore(async (store) => {
        const { id, email } = await findPerson(store, text);
        const sessions = await store.sessions(id);
        const entry = {
          at: Date.now(),
          by: 'command line',
          accountId: null,
          action: 'sessions_ended',
          target: email,
          detail: '',
        };
        await store.endSessions({ userId: id }, entry);
        return { id, email, sessions_ended: sessions.length };
      });
      printOne(row, options);
    });
}
