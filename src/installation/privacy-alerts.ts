/** Takes out of the alerts what their signups share, where that is of erased people: a mailbox, a session, a domain, a network. */
import type { Alert, SharedValue } from '../model/alert.ts';
import type { AlertStore } from '../store/alert-store.ts';
import type { StoredAssessment } from '../store/stored-assessment.ts';
import { isPersonalRange } from './privacy-campaigns.ts';
import { ownerOf } from './privacy-domains.ts';

const PER_PAGE = 200;

/** @param isOwnDomain whether a domain is one that only erased people used */
export async function forgetAlertValues(
  store: Pick<AlertStore, 'alerts' | 'blankAlerts'>,
  accountId: string,
  assessments: readonly Pick<StoredAssessment, 'ip' | 'network' | 'mailboxHash' | 'sessionId'>[],
  isOwnDomain: (owner: string) => boolean,
): Promise<void> {
  const networks = new Set(assessments.flatMap(({ ip, network }) => [ip, network]));
  const mailboxes = new Set(assessments.map(({ mailboxHash }) => mailboxHash));
  const sessions = new Set(assessments.map(({ sessionId }) => sessionId));
  const isPersonal = ({ feature, value }: SharedValue) => {
    if (feature === 'mailbox') return mailboxes.has(value);
    if (feature === 'session') return sessions.has(value);
    if (feature === 'range') return isPersonalRange(networks, value);
    return feature === 'domain' && isOwnDomain(ownerOf(value));
  };
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<AlertStore['alerts']>> = await store.alerts(accountId, {
      after,
      limit: PER_PAGE,
    });
    const personal = page.alerts.filter((alert: Alert) => alert.shares.some(isPersonal));
    await store.blankAlerts(personal.map(({ id }) => id));
    after = page.next;
  } while (after !== null);
}
