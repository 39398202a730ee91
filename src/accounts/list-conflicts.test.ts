import { describe, expect, it } from 'vitest';
import type { ListAction, ListEntry, ListKind } from '../model/list-entry.ts';
import { conflictsOf, type ListDraft } from './list-conflicts.ts';

const NOW = Date.UTC(2026, 10, 29);

function entry(
  action: ListAction,
  kind: ListKind,
  value: string,
  shown = value,
  over: Partial<ListEntry> = {},
): ListEntry {
  const rest = { reason: 'Three chargebacks', author: 'Jo', createdAt: 1, expiresAt: null, hits: 0 };
  return { id: 'lst_1', accountId: 'acc_1', action, kind, value, shown, ...rest, lastHitAt: null, ...over };
}

const draftOf = (action: ListAction, kind: ListKind, value: string, over: Partial<ListDraft> = {}) => ({
  action,
  kind,
  value,
  shown: value,
  ...over,
});

describe('a new entry of a list', () => {
  const mail = { shown: 'j***@mail.example.com' };
  it.each<[ListDraft, ListEntry, 'new' | 'existing' | undefined]>([
    [draftOf('allow', 'domain', 'yopmail.com'), entry('deny', 'domain', 'yopmail.com'), 'new'],
    [draftOf('deny', 'domain', 'yopmail.com'), entry('allow', 'domain', 'yopmail.com'), 'existing'],
    [draftOf('allow', 'domain', 'mail.example.com'), entry('deny', 'domain', 'example.com'), 'new'],
    [draftOf('allow', 'domain', 'example.com'), entry('deny', 'domain', 'mail.example.com'), 'existing'],
    [draftOf('deny', 'domain', 'com'), entry('allow', 'domain', 'example.com'), 'existing'],
    [draftOf('deny', 'domain', 'example.com'), entry('allow', 'domain', 'notexample.com'), undefined],
    [draftOf('deny', 'ip', '49.12.150.7'), entry('allow', 'cidr', '49.12.150.0/24'), 'new'],
    [draftOf('deny', 'cidr', '49.12.0.0/16'), entry('allow', 'cidr', '49.12.150.0/24'), 'existing'],
    [draftOf('deny', 'cidr', '49.12.0.0/16'), entry('allow', 'ip', '49.13.1.1'), undefined],
    [draftOf('deny', 'ip', '2001:db8::1'), entry('allow', 'cidr', '2001:db8::/32'), 'new'],
    [draftOf('deny', 'cidr', '0.0.0.0/8'), entry('allow', 'ip', '2001:db8::1'), undefined],
    [draftOf('allow', 'mailbox', 'hash', mail), entry('deny', 'domain', 'example.com'), 'new'],
    [
      draftOf('deny', 'domain', 'mail.example.com'),
      entry('allow', 'mailbox', 'hash', mail.shown),
      'existing',
    ],
    [draftOf('deny', 'domain', 'ail.example.com'), entry('allow', 'mailbox', 'hash', mail.shown), undefined],
    [draftOf('allow', 'asn', 'AS24940'), entry('deny', 'asn', 'AS24940'), 'new'],
    [draftOf('allow', 'asn', 'AS24940'), entry('deny', 'country', 'DE'), undefined],
  ])('%j against %j: %s decides', (draft, other, winner) => {
    expect(conflictsOf(draft, [other], NOW)).toEqual(winner === undefined ? [] : [{ entry: other, winner }]);
  });

  it('of a person is known by the hashes of earlier keys, and as a spelling of a mailbox', () => {
    const hashes = ['new', 'old'];
    const mailbox = draftOf('allow', 'mailbox', 'new', { ...mail, hashes });
    expect(conflictsOf(mailbox, [entry('deny', 'mailbox', 'old', mail.shown)], NOW)).toHaveLength(1);
    const address = draftOf('deny', 'address', 'one', { ...mail, hashes: ['one'], mailboxHashes: hashes });
    const found = conflictsOf(address, [entry('allow', 'mailbox', 'old', mail.shown)], NOW);
    expect(found.map(({ winner }) => winner)).toEqual(['new']);
    expect(conflictsOf(mailbox, [entry('deny', 'mailbox', 'other', mail.shown)], NOW)).toEqual([]);
  });

  it('contradicts no entry of its own list, and none that has expired', () => {
    const draft = draftOf('allow', 'domain', 'example.com');
    const others = [
      entry('allow', 'domain', 'example.com'),
      entry('deny', 'domain', 'example.com', 'example.com', { expiresAt: NOW }),
    ];
    expect(conflictsOf(draft, others, NOW)).toEqual([]);
  });
});
