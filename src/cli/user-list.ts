/** gatehouse user list */
import type { Command } from 'commander';
import { toTimestamp } from '../contract/timestamp.ts';
import { command, printMany } from './output.ts';
import { withStore } from './records.ts';

export function userList(): Command {
  return command('list', 'Show who can sign in to the dashboard, with their roles.').action(
    async (options: { json?: true }) => {
      const rows = await withStore(async (store) => {
        const memberships = await store.memberships({});
        return (await store.users()).map(
          ({ id, email, verified, invitedBy, name, operator, twoFactor, createdAt }) => ({
            id,
            email,
            verified,
            invited_by: invitedBy,
            name,
            operator,
            two_factor: twoFactor,
            accounts: memberships
              .filter(({ userId }) => userId === id)
              .map(({ accountId, role }) => `${accountId} (${role})`)
              .join(', '),
            created_at: toTimestamp(createdAt),
          }),
        );
      });
      printMany(rows, options, 'No users yet: `gatehouse user link` creates a link for the first operator.');
    },
  );
}
