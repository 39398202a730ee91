import { expect, it } from 'vitest';
import { aSighting, asOpenAlert } from '../../test/support/an-alert.ts';
import type { SharedValue } from '../model/alert.ts';
import { forgetAlertValues } from './privacy-alerts.ts';

const PERSON = {
  ip: '2001:db8:1:2::7',
  network: '2001:db8:1:2::/64',
  mailboxHash: 'hash of the mailbox',
  sessionId: 's_1',
};
const VALUES: Readonly<Record<string, Pick<SharedValue, 'feature' | 'value'>>> = {
  alr_mailbox: { feature: 'mailbox', value: PERSON.mailboxHash },
  alr_session: { feature: 'session', value: PERSON.sessionId },
  alr_home: { feature: 'range', value: '2001:db8:1::/48' },
  alr_domain: { feature: 'domain', value: 'mail.jane.example' },
  alr_otherSession: { feature: 'session', value: 's_2' },
  alr_otherHome: { feature: 'range', value: '2001:db8:2::/48' },
  alr_many: { feature: 'range', value: '2001:db8::/32' },
  alr_company: { feature: 'domain', value: 'firm.example' },
  alr_finding: { feature: 'finding', value: 'vpn' },
};

it('forgets what an alert names of an erased person, and nothing that others share', async () => {
  const alerts = Object.entries(VALUES).map(([id, value]) =>
    asOpenAlert(id, aSighting('acc_a', { shares: [{ ...value, share: 0.9, usual: 0 }] })),
  );
  const blanked: string[] = [];
  const store = {
    alerts: async () => ({ alerts, next: null }),
    async blankAlerts(ids: readonly string[]) {
      blanked.push(...ids);
    },
  };
  await forgetAlertValues(store, 'acc_a', [PERSON], (owner) => owner === 'jane.example');
  expect(blanked).toEqual(['alr_mailbox', 'alr_session', 'alr_home', 'alr_domain']);
});
