import { describe, expect, it } from 'vitest';
import { parseEmail } from '../address/email.ts';
import { mailboxOf } from '../address/mailbox.ts';
import type { ListAction, ListEntry } from '../model/list-entry.ts';
import type { EmailAddress } from '../model/signup-attempt.ts';
import { createListContest, type TrialSubject, trialScopesOf } from './list-trial.ts';
import { keepListValue, readListValue } from './list-value.ts';

const NOW = Date.UTC(2026, 4, 10);
const fingerprint = (text: string) => `hash of ${text}`;
const keep = (text: string, exact = false) =>
  keepListValue(readListValue(text, exact), {
    hashes: { hashUnderAllKeys: (value) => [fingerprint(value)] },
    storeEmails: false,
  });

function entry(action: ListAction, text: string, over: Partial<ListEntry> = {}): ListEntry {
  return {
    id: `${action} ${text}`,
    accountId: 'acc_a',
    action,
    ...keep(text),
    reason: null,
    author: 'ada@shop.example',
    createdAt: 0,
    expiresAt: null,
    hits: 0,
    lastHitAt: null,
    ...over,
  };
}

const signup = (address: string, over: Partial<TrialSubject> = {}): TrialSubject => ({
  addressHash: fingerprint(address),
  mailboxHash: fingerprint(mailboxOf(parseEmail(address) as EmailAddress)),
  emailDomain: address.split('@')[1] as string,
  ip: '203.0.113.7',
  asn: 64_500,
  countryCode: 'FR',
  ...over,
});

function createListTrial(...args: Parameters<typeof createListContest>) {
  const contest = createListContest(...args);
  return (subject: TrialSubject) => contest(subject).result;
}

function trial(action: ListAction, text: string, others: readonly ListEntry[] = []) {
  return createListTrial({ action, ...keep(text) }, others, NOW);
}

describe('an entry in a preview', () => {
  it.each([
    ['jo@example.com', signup('jo@example.com'), 'decides'],
    ['jo@example.com', signup('jo+tag@example.com'), 'decides'],
    ['j.doe@gmail.com', signup('jdoe+x@googlemail.com'), 'decides'],
    ['j.doe@gmail.com', signup('jdoe@gmail.de'), 'silent'],
    ['example.com', signup('jo@a.example.com'), 'decides'],
    ['example.com', signup('jo@notexample.com'), 'silent'],
    ['.com', signup('jo@example.com'), 'decides'],
    ['203.0.113.7', signup('jo@example.com'), 'decides'],
    ['203.0.113.0/24', signup('jo@example.com', { ip: '203.0.114.7' }), 'silent'],
    ['2001:db8::/32', signup('jo@example.com', { ip: '2001:db8:1::7' }), 'decides'],
    ['AS64500', signup('jo@example.com'), 'decides'],
    ['FR', signup('jo@example.com', { countryCode: 'DE' }), 'silent'],
    ['FR', signup('jo@example.com', { ip: null, countryCode: '', asn: 0 }), 'silent'],
  ] as const)('for %s matches %j: %s', (text, subject, result) => {
    expect(trial('deny', text)(subject)).toBe(result);
  });

  it('for an exact address matches this spelling alone, and goes before its mailbox', () => {
    const exact = { action: 'deny', ...keep('j.doe@gmail.com', true) } as const;
    const matches = createListTrial(exact, [entry('allow', 'jdoe@gmail.com')], NOW);
    expect(matches(signup('j.doe@gmail.com'))).toBe('decides');
    expect(matches(signup('jdoe@gmail.com'))).toBe('silent');
    const other = entry('deny', 'j.doe@gmail.com', exact);
    const mailbox = trial('allow', 'jdoe@gmail.com', [other]);
    expect(mailbox(signup('j.doe@gmail.com'))).toBe('overruled');
    expect(mailbox(signup('jd.oe@gmail.com'))).toBe('decides');
  });

  it.each([
    ['the domain at the place', 'example.com + 203.0.113.7', signup('jo@example.com'), 'decides'],
    ['a name below the domain', 'example.com + 203.0.113.0/24', signup('jo@a.example.com'), 'decides'],
    ['the domain in the network', 'example.com + AS64500', signup('jo@example.com'), 'decides'],
    ['everybody at the place', '203.0.113.7', signup('jo@elsewhere.example'), 'decides'],
    ['another domain', 'example.com + 203.0.113.7', signup('jo@notexample.com'), 'silent'],
    ['another place', 'example.com + 203.0.113.7', signup('jo@example.com', { ip: '203.0.113.8' }), 'silent'],
    ['no place', 'example.com + AS64500', signup('jo@example.com', { ip: null, asn: 0 }), 'silent'],
  ] as const)('of a shared office meets %s', (_, text, subject, result) => {
    expect(trial('office', text)(subject)).toBe(result);
  });

  it('of a shared office gives way to one that allows or blocks, and never decides for it', () => {
    const office = entry('office', 'example.com + 203.0.113.7');
    expect(trial('office', '203.0.113.7', [entry('deny', 'FR')])(signup('jo@example.com'))).toBe('overruled');
    expect(trial('deny', 'FR', [office])(signup('jo@example.com'))).toBe('decides');
  });

  it.each([
    ['a narrower entry', entry('allow', 'jo@example.com'), 'overruled'],
    ['one that allows the same', entry('allow', 'example.com'), 'overruled'],
    ['one that has expired', entry('allow', 'jo@example.com', { expiresAt: NOW }), 'decides'],
    ['a wider entry', entry('allow', 'FR'), 'decides'],
    ['the same entry', entry('deny', 'example.com'), 'decides'],
  ] as const)('beside %s', (_, other, result) => {
    expect(trial('deny', 'example.com', [other])(signup('jo@example.com'))).toBe(result);
  });

  it.each([
    ['Jo+tag@Gmail.com', { mailbox: 'hash of jo@gmail.com' }],
    ['*.example.com', { domain: 'example.com' }],
    ['.shop', { domain: 'shop' }],
    ['203.0.113.7', { ip: { first: '203.0.113.7', last: '203.0.113.7' } }],
    ['203.0.113.0/24', { ip: { first: '203.0.113.0', last: '203.0.113.255' } }],
    ['as64500', { asn: 64_500 }],
    ['fr', { country: 'FR' }],
  ])('for %s searches %j', (text, scope) => {
    expect(trialScopesOf(readListValue(text), { hashUnderAllKeys: (value) => [fingerprint(value)] })).toEqual(
      [scope],
    );
  });

  it('for an address searches its hashes under each key in use', () => {
    const hashUnderAllKeys = (value: string) => [`new ${value}`, `old ${value}`];
    expect(trialScopesOf(readListValue('jo+tag@gmail.com'), { hashUnderAllKeys })).toEqual([
      { mailbox: 'new jo@gmail.com' },
      { mailbox: 'old jo@gmail.com' },
    ]);
    expect(trialScopesOf(readListValue('jo+tag@gmail.com', true), { hashUnderAllKeys })).toEqual([
      { address: 'new jo+tag@gmail.com', mailbox: 'new jo@gmail.com' },
      { address: 'old jo+tag@gmail.com', mailbox: 'old jo@gmail.com' },
    ]);
  });
});
