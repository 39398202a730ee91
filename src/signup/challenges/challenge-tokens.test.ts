import { describe, expect, it } from 'vitest';
import { createMakeId } from '../../contract/identifiers.ts';
import { createChallengeTokens, createOfferChallenge } from './challenge-tokens.ts';

const NOW = Date.UTC(2026, 4, 10, 10, 14, 33, 250);
const EXPIRES = NOW + 1_800_000;
const SUBJECT = { requestId: createMakeId()('req', NOW), accountId: 'acc_1', mode: 'live' } as const;
const TICKET = { requestId: SUBJECT.requestId, expiresAt: EXPIRES };
const tokens = createChallengeTokens(Buffer.alloc(32, 7));
const token = tokens.issue(SUBJECT, EXPIRES);

/** The same text with one character replaced. */
const changedAt = (text: string, at: number) =>
  text.slice(0, at) + (text[at] === 'a' ? 'b' : 'a') + text.slice(at + 1);

describe('tokens', () => {
  it('are valid for their own account and mode, on every node', () => {
    const node = createChallengeTokens(Buffer.alloc(32, 7));
    expect(node.read(token, SUBJECT)).toEqual(TICKET);
    expect(node.issue(SUBJECT, EXPIRES)).toBe(token);
    expect(token).not.toContain(SUBJECT.accountId);
  });

  it('are refused for another account, another mode, and with another secret', () => {
    expect(tokens.read(token, { ...SUBJECT, accountId: 'acc_2' })).toBeUndefined();
    expect(tokens.read(token, { ...SUBJECT, mode: 'test' })).toBeUndefined();
    expect(createChallengeTokens(Buffer.alloc(32, 8)).read(token, SUBJECT)).toBeUndefined();
  });

  it('are refused when any character was changed, added or removed', () => {
    for (let at = 0; at < token.length; at += 1)
      expect(tokens.read(changedAt(token, at), SUBJECT), String(at)).toBeUndefined();
    for (const wrong of [
      '',
      `${token}a`,
      token.slice(0, -1),
      `${token}\n`,
      token.toUpperCase(),
      '.'.repeat(9),
    ])
      expect(tokens.read(wrong, SUBJECT)).toBeUndefined();
  });

  it('for visitors are of another kind, and neither kind can be turned into the other', () => {
    const link = tokens.issueVisitorToken('link', TICKET);
    const page = tokens.issueVisitorToken('page', TICKET);
    expect(tokens.readVisitorToken(link)).toEqual({ ...TICKET, kind: 'link' });
    expect(tokens.readVisitorToken(page)).toEqual({ ...TICKET, kind: 'page' });
    expect(tokens.readVisitorToken(token)).toBeUndefined();
    expect(tokens.read(link, SUBJECT)).toBeUndefined();
    expect(tokens.readVisitorToken(page.replace('gcp', 'gcl'))).toBeUndefined();
  });
});

describe('codes', () => {
  it('have six digits, and differ between challenges', () => {
    const codes = Array.from({ length: 200 }, (_, at) =>
      tokens.codeOf({ ...TICKET, expiresAt: EXPIRES + at }),
    );
    expect(codes.every((code) => /^\d{6}$/.test(code))).toBe(true);
    expect(new Set(codes).size).toBeGreaterThan(190);
    expect(tokens.codeOf(TICKET)).toBe(tokens.codeOf(TICKET));
  });

  it('match only in full', () => {
    const code = tokens.codeOf(TICKET);
    expect(tokens.isCode(code, TICKET)).toBe(true);
    for (const wrong of ['', code.slice(1), `${code}0`, changedAt(code, 3)])
      expect(tokens.isCode(wrong, TICKET)).toBe(false);
  });
});

describe('an offer', () => {
  it('expires exactly at its announced time', () => {
    const offer = createOfferChallenge(tokens, 30)(SUBJECT, NOW);
    expect(offer?.expires_at).toBe('2026-05-10T10:44:33Z');
    expect(tokens.read(offer?.token ?? '', SUBJECT)?.expiresAt).toBe(Date.parse('2026-05-10T10:44:33Z'));
  });

  it('is not made if tokens are off', () => {
    expect(createOfferChallenge(tokens, null)(SUBJECT, NOW)).toBeUndefined();
  });
});
