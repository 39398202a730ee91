/** Changes of an erasure in the audit log: only the fields that can name the person, whatever their session or address is. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AuditEntry } from '../store/audit-store.ts';
import { createRedaction, type PersonTraces } from './privacy-audit.ts';

const HASH = 'h'.repeat(22);
const OTHER_HASH = 'o'.repeat(22);
const ID = 'req_01j5zoe';

const person = (traces: Partial<PersonTraces> = {}): PersonTraces => ({
  isHash: (hash) => hash === HASH,
  isAddress: (address) => ['ann@x.de', 'j\u00fcrgen@firma.de'].includes(address),
  isIp: (ip) => ['1.2.3.4', '2001:db8::1'].includes(ip),
  requestIds: new Set([ID]),
  sessions: new Set(['s-1']),
  ips: new Set(['1.2.3.4', '5.6.7.8']),
  domains: new Set(['doe.example']),
  ...traces,
});
const entry = (action: string, target: string, detail = '', subject?: string): AuditEntry => ({
  at: 1,
  by: 'jo@example.com',
  accountId: 'acc_1',
  action,
  target,
  detail,
  ...(subject !== undefined && { subject }),
});
const redact = (line: AuditEntry, traces: Partial<PersonTraces> = {}) => {
  const { target, detail } = createRedaction(person(traces))(line) ?? line;
  return [target, detail];
};
const stars = (text: string) => '*'.repeat(Buffer.byteLength(text));

describe('an erasure in the audit log', () => {
  /** Words that somebody would hide, as the session, the request id and the domain of a signup. */
  it.each([
    ['list.allow', 'evil-partner.example', 'let my own farm in'],
    ['list.deny', '203.0.113.0/24', 'ticket 100'],
    ['list.remove', 'evil-partner.example', 'Allow list'],
    ['list.history_erased', 'an entry', '100 entries of this log'],
    ['thresholds.set', 'account', 'challenge 99, block 100'],
    ['key.create', 'live key exfil', 'challenge 99, block 100'],
    ['key.revoke', 'live key exfil', 'sk_live_100…'],
    ['hook.create', 'clerk hook exfil', 'allow on error'],
    ['policy.save', 'acc-7', 'disposable 100'],
    ['token.create', 'token exfil', 'accounts:write'],
    ['account_changed', 'exfil', 'monthly quota 100'],
    ['person_invited', 'ann@x.de', 'owner'],
    ['sign_in', 'ann@x.de', ''],
    ['privacy.erase', 'a person', '100 assessments, 2 list entries'],
    ['signups.export', 'signups', 'domain evil-partner.example, score_min 100; at most 100 signups'],
  ])(
    '%s %s keeps every word that is a session, an id or a domain of the person',
    (action, target, detail) => {
      const words = `${target} ${detail}`.split(/[\s,;]+/).filter((word) => word !== '');
      const sessions = new Set([...words, target, detail, '']);
      expect(redact(entry(action, target, detail), { sessions })).toEqual([target, detail]);
      if (!action.startsWith('list.'))
        expect(redact(entry(action, target, detail), { requestIds: sessions, ips: sessions })).toEqual([
          target,
          detail,
        ]);
    },
  );

  it('has no other action with a field for a person who signs up', () => {
    const known = new Set([
      'list.allow',
      'list.deny',
      'list.remove',
      'feedback.give',
      'feedback.undo',
      'feedback.close',
      'feedback.reopen',
      'try.live',
      'signups.export',
    ]);
    const redacting = actionsInSource().filter((action) =>
      ['ann@x.de', ID, '1.2.3.4', 'session_id s-1; at most 1 signups'].some(
        (text) => createRedaction(person())(entry(action, text, text, HASH)) !== undefined,
      ),
    );
    expect(actionsInSource().length).toBeGreaterThan(20);
    expect(new Set(redacting)).toEqual(
      new Set([...known].filter((action) => actionsInSource().includes(action))),
    );
  });

  it("takes out value and reason of the person's own entry, also when it was removed before", () => {
    for (const subject of [HASH, '1.2.3.4', '2001:db8::1']) {
      const line = entry('list.deny', 'a***@x.de', 'ann phoned', subject);
      expect(createRedaction(person())(line)).toEqual({
        target: stars('a***@x.de'),
        detail: stars('ann phoned'),
        subject: stars(subject),
      });
      expect(redact(entry('list.remove', 'a***@x.de', 'Block list', subject))).toEqual([
        stars('a***@x.de'),
        'Block list',
      ]);
    }
    for (const subject of [OTHER_HASH, '11.2.3.45', undefined])
      expect(redact(entry('list.deny', 'a***@x.de', 'al phoned', subject))).toEqual([
        'a***@x.de',
        'al phoned',
      ]);
  });

  it.each([
    ['ann@x.de', 'ann@x.de'],
    ['see ann@x.de.', 'ann@x.de'],
    ['(ANN+shop@X.de)', 'ANN+shop@X.de'],
    ['email=ann@x.de, called', 'ann@x.de'],
    ['<mailto:ann@x.de>', 'ann@x.de'],
    ["'ann@x.de'!", 'ann@x.de'],
    ['\u201eju\u0308rgen@firma.de\u201c', 'ju\u0308rgen@firma.de'],
    ['J\u00dcRGEN@firma.de?', 'J\u00dcRGEN@firma.de'],
    [`as ${ID}:`, ID],
    ['from 1.2.3.4.', '1.2.3.4'],
    ['from 2001:DB8:0:0:0:0:0:1,', '2001:DB8:0:0:0:0:0:1'],
  ])('takes the person out of the reason of another entry: %s', (reason, named) => {
    expect(redact(entry('list.deny', 'x.de', reason))).toEqual(['x.de', reason.replace(named, stars(named))]);
  });

  it.each([
    'joann@x.de',
    'ann@x.de.example',
    'ann@x.den',
    'ann-marie@x.de',
    'x.ann@x.de',
    "o'ann@x.de",
    'ann',
    'x.de',
    'at x.de, s-1',
    '11.2.3.45',
    '1.2.3.40',
    '1.2.3.4/24',
    '5.6.7.8',
    `${ID}x`,
    '',
  ])('leaves the reason %s', (reason) => {
    expect(redact(entry('list.deny', 'x.de', reason))).toEqual(['x.de', reason]);
  });

  it('takes out the ids of the signups that people reported or tried, as whole targets', () => {
    for (const action of ['feedback.give', 'feedback.undo', 'try.live']) {
      expect(redact(entry(action, ID, 'false_positive'))).toEqual([stars(ID), 'false_positive']);
      expect(redact(entry(action, `${ID}9`, ID))).toEqual([`${ID}9`, ID]);
    }
  });

  it.each([
    ['ip 5.6.7.8; at most 5 signups', '5.6.7.8'],
    ['mode live, ip 1.2.3.4/32, verdict block; signups not counted', '1.2.3.4/32'],
    ['session_id s-1, domain x.de; at most 1 signups', 's-1'],
    [`request_id ${ID}; at most 1 signups`, ID],
    ['domain mail.doe.example; at most 1 signups', 'mail.doe.example'],
  ])('takes out what somebody searched for: %s', (detail, named) => {
    expect(redact(entry('signups.export', 'signups', detail))).toEqual([
      'signups',
      detail.replace(named, stars(named)),
    ]);
  });

  it.each([
    'session_id s-10; at most 1 signups',
    'session_id as-1; at most 1 signups',
    'ip 15.6.7.8; at most 1 signups',
    'ip 5.6.7.0/24; at most 1 signups',
    'domain x.de, key s-1; at most 1 signups',
    'domain joe.example; at most 1 signups',
    'no filter; at most 5 signups',
  ])('leaves another search: %s', (detail) => {
    expect(redact(entry('signups.export', 'signups', detail))).toEqual(['signups', detail]);
  });

  it('finds a session with commas as a whole, and no session that is only a part of the text', () => {
    const sessions = new Set(['a, domain x.de', '; at most 5 signups', 'no filter', '100']);
    const detail = 'session_id a, domain x.de, mode live; at most 100 signups';
    expect(redact(entry('signups.export', 'signups', detail), { sessions })).toEqual([
      'signups',
      `session_id ${stars('a, domain x.de')}, mode live; at most 100 signups`,
    ]);
    const plain = 'no filter; at most 5 signups';
    expect(redact(entry('signups.export', 'signups', plain), { sessions })).toEqual(['signups', plain]);
  });
});

/** Every action that pages, commands and admins write. */
function actionsInSource(): string[] {
  const source = join(import.meta.dirname, '..');
  const files = ['http', 'cli', 'accounts', 'installation', 'operate', 'wiring'].flatMap((room) =>
    readdirSync(join(source, room), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.includes('.test.'))
      .map((file) => readFileSync(join(source, room, file), 'utf8')),
  );
  const found = files.flatMap((text) => [
    ...text.matchAll(/(?:[aA]udit|[eE]ntry(?:Of)?)\w*\(\s*(?:[\w.?]+,\s*)?'([a-z_]+(?:\.[a-z_]+)?)',/g),
  ]);
  return [...new Set(['list.allow', 'list.deny', ...found.map(([, action = '']) => action)])];
}
