/** Makes a user a member of an account as the service does: by an invitation. */
import { randomUUID } from 'node:crypto';
import type { Invitation, Membership } from '../../src/store/dashboard-store.ts';
import type { Store } from '../../src/store/store.ts';

type JoinStore = Pick<Store, 'findUser' | 'saveInvitation' | 'joinAsUser'>;

export async function joinAccount(store: JoinStore, { userId, accountId, role }: Membership): Promise<void> {
  const email = (await store.findUser(userId))?.email;
  if (email === undefined) throw new Error(`there is no user ${userId}`);
  const now = Date.now();
  const invitation: Invitation = {
    id: `inv_${randomUUID()}`,
    tokenHash: randomUUID(),
    email,
    accountId,
    role,
    invitedBy: 'tests',
    expiresAt: now + 60_000,
    acceptedAt: null,
  };
  await store.saveInvitation(invitation);
  if (!(await store.joinAsUser(userId, invitation.tokenHash, now))) throw new Error(`${email} did not join`);
}
