/** How every store must keep the audit log: an entry is written together with its change, or neither is. Part of the suite that each adapter runs. */
import { describe, expect, it } from 'vitest';
import { aKey } from '../../test/support/a-key.ts';
import { anAccount } from '../../test/support/an-account.ts';
import { anAssessment } from '../../test/support/an-assessment.ts';
import { joinAccount } from '../../test/support/join-account.ts';
import type { MakeId } from '../contract/identifiers.ts';
import type { ListEntry } from '../model/list-entry.ts';
import type { ManageToken } from '../model/manage-token.ts';
import type { AuditEntry, AuditFilter } from './audit-store.ts';
import type { Key, Store } from './store.ts';

const NOW = Date.UTC(2026, 4, 10, 10, 14, 33);

/** A change, and how to see its result. */
interface Change {
  /** Returns whether the store made the change, if the store may refuse it. */
  run(...audit: AuditEntry[]): Promise<unknown>;
  read(): Promise<unknown>;
}

export function describeAudit(store: () => Store, makeId: MakeId): void {
  const entryOf = (accountId: string | null, fields: Partial<AuditEntry> = {}): AuditEntry => ({
    at: NOW,
    by: 'jo@example.com',
    accountId,
    action: 'thing.change',
    target: makeId('key', NOW),
    detail: '',
    ...fields,
  });
  /** The database refuses this entry, because every entry needs a time. */
  const refused = (accountId: string) => entryOf(accountId, { at: null as unknown as number });
  const entriesOf = async (accountId: string) => (await store().auditEntries(accountId, null, 100)).entries;

  const account = (id: string) => {
    return anAccount({ id, name: 'audited', createdAt: NOW });
  };
  const newAccount = async () => {
    const id = makeId('acc', NOW);
    await store().saveAccount(account(id));
    return id;
  };
  const newKey = (accountId: string): Key => {
    const id = makeId('key', NOW);
    return aKey({ id, accountId, name: 'n', prefix: 'gh', createdAt: NOW });
  };
  const newToken = (accountId: string): ManageToken => {
    const id = makeId('tok', NOW);
    const none = { expiresAt: null, lastUsedAt: null, revokedAt: null };
    const made = { name: 'n', hash: id, prefix: 'gh', createdBy: 'x', createdAt: NOW };
    return { id, accountId, scopes: ['keys:read'], ...made, ...none };
  };
  const newEntry = (accountId: string): ListEntry => {
    const value = { kind: 'domain', value: 'a.example', shown: 'a.example', reason: null } as const;
    const none = { expiresAt: null, hits: 0, lastHitAt: null };
    return {
      id: makeId('lst', NOW),
      accountId,
      action: 'deny',
      ...value,
      author: 'x',
      createdAt: NOW,
      ...none,
    };
  };
  const newInvitation = (accountId: string) => {
    const [id, tokenHash] = [makeId('lst', NOW), makeId('key', NOW)];
    const email = `${id}@example.com`;
    const rest = { role: 'member', invitedBy: 'x', expiresAt: NOW + 1, acceptedAt: null } as const;
    return { id, tokenHash, email, accountId, ...rest };
  };
  const newUser = (email = `${makeId('key', NOW)}@example.com`) => ({
    id: makeId('lst', NOW),
    email,
    name: 'Jo',
    passwordHash: 'hash',
  });
  const aLink = async (purpose: 'operator' | 'reset', userId: string | null) => {
    const tokenHash = makeId('key', NOW);
    await store().saveLink({ tokenHash, purpose, userId, expiresAt: NOW + 1 });
    return tokenHash;
  };
  const anOperator = async () => {
    const user = newUser();
    expect(await store().claimOperator(user, await aLink('operator', null), NOW)).toBe(true);
    return user.id;
  };

  const changes: Record<string, (accountId: string) => Promise<Change>> = {
    async 'a new account'() {
      const id = makeId('acc', NOW);
      const read = async () => (await store().changesSince(0)).accounts.some((account) => account.id === id);
      return { run: (...audit) => store().saveAccount(account(id), ...audit), read };
    },
    async 'a change of an account'(id) {
      const read = async () =>
        (await store().changesSince(0)).accounts.find((account) => account.id === id)?.plan;
      return { run: (...audit) => store().changeAccount(id, { plan: 'free' }, ...audit), read };
    },
    async 'a new key'(accountId) {
      const key = newKey(accountId);
      const read = async () => (await store().changesSince(0)).keys.some(({ id }) => id === key.id);
      return { run: (...audit) => store().saveKey(key, ...audit), read };
    },
    async 'a revocation'(accountId) {
      const key = newKey(accountId);
      await store().saveKey(key);
      const read = async () =>
        (await store().changesSince(0)).keys.find(({ id }) => id === key.id)?.revokedAt;
      return { run: (...audit) => store().changeKey(key.id, { revokedAt: NOW }, ...audit), read };
    },
    async 'a new token'(accountId) {
      const token = newToken(accountId);
      const read = async () => (await store().changesSince(0)).tokens.some(({ id }) => id === token.id);
      return { run: (...audit) => store().saveToken(token, ...audit), read };
    },
    async 'the revocation of a token'(accountId) {
      const token = newToken(accountId);
      await store().saveToken(token);
      const read = async () =>
        (await store().changesSince(0)).tokens.find(({ id }) => id === token.id)?.revokedAt;
      return { run: (...audit) => store().revokeToken(token.id, NOW, ...audit), read };
    },
    async 'a list entry'(accountId) {
      const read = async () => (await store().listEntries(accountId)).length;
      return { run: (...audit) => store().saveListEntry(newEntry(accountId), ...audit), read };
    },
    async 'the end of a list entry'(accountId) {
      const { id } = await store().saveListEntry(newEntry(accountId));
      const read = async () => (await store().listEntries(accountId)).length;
      return { run: (...audit) => store().removeListEntry(id, ...audit), read };
    },
    async 'a policy'(accountId) {
      const policy = { accountId, weights: {}, createdAt: NOW, author: 'x', note: '' };
      const read = async () => (await store().policies(accountId)).length;
      return { run: (entry) => store().savePolicy(policy, entry && (() => entry)), read };
    },
    async 'the end of a membership'(accountId) {
      const of = { userId: await anOperator(), accountId };
      await joinAccount(store(), { ...of, role: 'member' });
      return {
        run: (...audit) => store().removeMembership(of, ...audit),
        read: () => store().memberships(of),
      };
    },
    async 'an invitation'(accountId) {
      const run = (...audit: AuditEntry[]) => store().saveInvitation(newInvitation(accountId), ...audit);
      return { run, read: () => store().invitations({ accountId }) };
    },
    async 'the end of an invitation'(accountId) {
      const invitation = newInvitation(accountId);
      await store().saveInvitation(invitation);
      const run = (...audit: AuditEntry[]) => store().removeInvitation(invitation.id, ...audit);
      return { run, read: () => store().invitations({ accountId }) };
    },
    async 'a link'() {
      const [tokenHash, userId] = [makeId('key', NOW), await anOperator()];
      const link = { tokenHash, purpose: 'reset', userId, expiresAt: NOW + 1 } as const;
      const run = (...audit: AuditEntry[]) => store().saveLink(link, ...audit);
      return { run, read: async () => (await store().findLink(tokenHash, NOW)) !== undefined };
    },
    async 'an operator'() {
      const [user, tokenHash] = [newUser(), await aLink('operator', null)];
      const run = (...audit: AuditEntry[]) => store().claimOperator(user, tokenHash, NOW, ...audit);
      return { run, read: async () => (await store().findUser(user.id))?.email };
    },
    async 'another password'() {
      const tokenHash = await aLink('reset', await anOperator());
      const run = (...audit: AuditEntry[]) => store().resetPassword('other', tokenHash, NOW, ...audit);
      return { run, read: async () => (await store().findLink(tokenHash, NOW)) !== undefined };
    },
    async 'a new member'(accountId) {
      const invitation = newInvitation(accountId);
      await store().saveInvitation(invitation);
      const user = newUser(invitation.email);
      const run = (...audit: AuditEntry[]) =>
        store().joinAsNewUser(user, invitation.tokenHash, NOW, ...audit);
      return { run, read: () => store().memberships({ accountId }) };
    },
    async 'a member who was known'(accountId) {
      const [invitation, userId] = [newInvitation(accountId), await anOperator()];
      await store().saveInvitation(invitation);
      const run = (...audit: AuditEntry[]) => store().joinAsUser(userId, invitation.tokenHash, NOW, ...audit);
      return { run, read: () => store().memberships({ accountId }) };
    },
    async feedback(accountId) {
      const requestId = makeId('req', NOW);
      await store().record(anAssessment({ requestId, accountId, at: NOW }));
      const feedback = { requestId, outcome: 'false_positive', note: null, keyId: 'Jo', at: NOW } as const;
      const run = (...audit: AuditEntry[]) => store().saveFeedback(feedback, ...audit);
      return { run, read: () => store().findFeedback(requestId) };
    },
    async 'the first feedback'(accountId) {
      const requestId = makeId('req', NOW);
      await store().record(anAssessment({ requestId, accountId, at: NOW }));
      const feedback = { requestId, outcome: 'false_positive', note: null, keyId: 'Jo', at: NOW } as const;
      const run = (...audit: AuditEntry[]) => store().saveFirstFeedback(feedback, ...audit);
      return { run, read: () => store().findFeedback(requestId) };
    },
  };

  describe.each(Object.entries(changes))('the audit entry for %s', (_, prepare) => {
    it('is written with the change; if it cannot be written, nothing changes', async () => {
      const accountId = await newAccount();
      const { run, read } = await prepare(accountId);
      const before = await read();
      await expect(run(refused(accountId))).rejects.toThrow();
      expect(await read()).toEqual(before);
      expect(await entriesOf(accountId)).toEqual([]);
      const entry = entryOf(accountId);
      await run(entry);
      expect(await read()).not.toEqual(before);
      expect(await entriesOf(accountId)).toEqual([entry]);
    });
  });

  describe('an audit entry', () => {
    it('is not written with a report that comes second, which changes nothing', async () => {
      const accountId = await newAccount();
      const requestId = makeId('req', NOW);
      await store().record(anAssessment({ requestId, accountId, at: NOW }));
      const report = { requestId, outcome: 'false_positive', note: 'Ü\u0000', keyId: 'Jo', at: NOW } as const;
      const others = ['Al', 'Bo', 'Cy'].map((keyId) =>
        store().saveFirstFeedback({ ...report, keyId }, entryOf(accountId)),
      );
      expect((await Promise.all(others)).filter(Boolean)).toEqual([true]);
      const first = await store().findFeedback(requestId);
      const second = { ...report, outcome: 'false_negative' } as const;
      expect(await store().saveFirstFeedback(second, entryOf(accountId))).toBe(false);
      expect(await store().findFeedback(requestId)).toEqual(first);
      expect(first).toMatchObject({ outcome: 'false_positive', note: report.note });
      expect(await entriesOf(accountId)).toHaveLength(1);
    });

    it('is not written if nothing changed', async () => {
      const accountId = await newAccount();
      const [entry, nobody] = [entryOf(accountId), 'nobody'];
      await store().changeAccount('acc_nobody', { plan: 'free' }, entry);
      await store().changeKey('key_nobody', { revokedAt: NOW }, entry);
      await store().revokeToken('tok_nobody', NOW, entry);
      await store().removeListEntry('lst_nobody', entry);
      await store().removeMembership({ userId: nobody, accountId }, entry);
      await store().removeInvitation(nobody, entry);
      expect(await store().claimOperator(newUser(), nobody, NOW, entry)).toBe(false);
      expect(await store().resetPassword('hash', nobody, NOW, entry)).toBe(false);
      expect(await store().joinAsNewUser(newUser(), nobody, NOW, entry)).toBe(false);
      expect(await store().joinAsUser(nobody, nobody, NOW, entry)).toBe(false);
      expect(await entriesOf(accountId)).toEqual([]);
    });

    it('may be one of several for the same change, and names the new version of a policy', async () => {
      const accountId = await newAccount();
      const entries = [entryOf(accountId), entryOf(accountId)];
      await store().changeAccount(accountId, { plan: 'free' }, ...entries);
      expect(await entriesOf(accountId)).toEqual(entries.toReversed());
      const policy = { accountId, weights: {}, createdAt: NOW, author: 'x', note: '' };
      await store().savePolicy(policy, (version) => entryOf(accountId, { target: version }));
      expect((await entriesOf(accountId))[0]?.target).toBe('custom-1');
    });

    it('is found by action, author and time, page by page', async () => {
      const accountId = await newAccount();
      // More entries than one read returns, not in the order of their times, as after a clock step.
      const entries = Array.from({ length: 600 }, (_, index) =>
        entryOf(accountId, {
          at: NOW + (index % 2 === 0 ? index : index - 3),
          by: index % 200 === 7 ? 'command line (Ann@host)' : `jo+${index}@example.com \u0000`,
          target: `shop ${index}`,
          detail: index % 2 === 0 ? 'x' : `web ${index}`,
          action: index % 3 === 0 ? 'key.create' : index === 100 ? 'key.revoke' : 'keys',
        }),
      );
      for (const entry of entries) await store().audit(entry);
      const filters: AuditFilter[] = [
        { action: 'key.create' },
        { action: 'key.' },
        { by: 'ann@' },
        { by: '\u0000' },
        { since: NOW + 50, until: NOW + 70 },
        { action: 'keys', by: 'COMMAND', since: NOW + 8 },
        { by: '%' },
        { target: 'SHOP 5', action: 'key.' },
        { target: 'web 7' },
      ];
      for (const filter of filters) {
        const wanted = entries.filter((entry) => isWanted(entry, filter)).toReversed();
        const found: AuditEntry[] = [];
        for (let after: number | null = null; ; ) {
          const page = await store().auditEntries(accountId, after, 90, filter);
          expect(page.entries.length).toBeLessThanOrEqual(90);
          found.push(...page.entries);
          if (page.next === null) break;
          after = page.next;
        }
        expect(found, JSON.stringify(filter)).toEqual(wanted);
      }
    });
  });
}

function isWanted({ at, action, by, target, detail }: AuditEntry, filter: AuditFilter): boolean {
  const { since = 0, until = Number.POSITIVE_INFINITY } = filter;
  const isAction = filter.action === 'key.' ? action !== 'keys' : action === (filter.action ?? action);
  const wanted = filter.target?.toLowerCase() ?? '';
  if (!target.includes(wanted) && !detail.includes(wanted)) return false;
  return isAction && at >= since && at < until && new RegExp(filter.by ?? '', 'i').test(by);
}
