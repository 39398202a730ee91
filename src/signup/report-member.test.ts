/** The effect of a report about a signup on its mailbox: a good customer's may have several addresses, until the report changes. */
import { expect, it } from 'vitest';
import { anAssessment } from '../../test/support/an-assessment.ts';
import type { MailboxReport } from '../store/mailbox-store.ts';
import { reportMember } from './report-member.ts';

const AT = Date.UTC(2026, 4, 10);

async function reported(fields: Parameters<typeof anAssessment>[0], outcome = 'false_positive' as const) {
  const reports: MailboxReport[] = [];
  const store = {
    saveMailboxReport: async (report: MailboxReport) => void reports.push(report),
    saveCampaignReport: async () => expect.unreachable(),
  };
  const stored = anAssessment({ addressHash: 'address', mailboxHash: 'mailbox', at: AT, ...fields });
  await reportMember(store, stored, { outcome, at: AT + 1 });
  return reports;
}

it.each([
  ['false_positive', true],
  ['false_negative', false],
  ['confirmed_fraud', false],
] as const)('%s is about a good customer: %s', async (outcome, isGood) => {
  const report = { mailbox: 'mailbox', address: 'address', at: AT, isBlocked: false, isGood };
  expect(await reported({ verdict: 'allow' }, outcome as 'false_positive')).toMatchObject([report]);
});

it('says whether it was blocked: not in shadow mode', async () => {
  expect(await reported({ verdict: 'block', shadow: false })).toMatchObject([{ isBlocked: true }]);
  expect(await reported({ verdict: 'block', shadow: true })).toMatchObject([{ isBlocked: false }]);
});

it('says nothing of the sandbox', async () => {
  expect(await reported({ mode: 'test' })).toEqual([]);
});
