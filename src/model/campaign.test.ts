import { describe, expect, it } from 'vitest';
import { type Campaign, isSure } from './campaign.ts';

const wave = (values: Partial<Campaign>) =>
  isSure({ families: ['names', 'network'], members: 20, decades: 12, scope: 'range', ...values });

describe('whether a wave may block', () => {
  it('needs two families, twenty members and the odds', () => {
    expect(wave({})).toBe(true);
    for (const less of [
      { families: ['names'] as const },
      { members: 19 },
      { decades: 11.9 },
      { goodReports: 1 },
    ])
      expect(wave(less)).toBe(false);
  });

  it('needs fewer members where many bounced, and everything else as before', () => {
    expect(wave({ members: 10, bounced: 5 })).toBe(true);
    expect(wave({ members: 10, bounced: 4 })).toBe(false);
    expect(wave({ members: 9, bounced: 9 })).toBe(false);
    expect(wave({ members: 19, bounced: 3 })).toBe(false);
    const allBounced = { members: 500, bounced: 500 };
    expect(wave({ ...allBounced, families: ['names'] })).toBe(false);
    expect(wave({ ...allBounced, decades: 11.9 })).toBe(false);
    expect(wave({ ...allBounced, goodReports: 1 })).toBe(false);
  });

  it('does not where half confirmed their address, unless they may own the mailboxes or a person confirmed the wave', () => {
    expect(wave({ verified: 10 })).toBe(false);
    expect(wave({ verified: 9 })).toBe(true);
    for (const scope of ['domain', 'fresh_domains', 'mail_host', 'mailbox'] as const)
      expect(wave({ verified: 20, scope })).toBe(true);
    expect(wave({ verified: 20, decision: 'confirmed' })).toBe(true);
  });
});
