/** GET /intelligence/host; POST to forget a mail host, or never to flag it: for operators. */
import type { MailHostReport, VersionedMailHostReport } from '../contract/dashboard-installation.ts';
import { describeSeen, type MailHostChange, whyNoChange } from '../contract/mail-host-words.ts';
import { Problem } from '../contract/problem.ts';
import type { AuditEntry, AuditStore } from '../store/audit-store.ts';
import type { DashboardRoutes } from './dashboard-route.ts';
import { bodyOf, TEXT, unusable } from './dashboard-values.ts';
import { hostFacts } from './state-facts.ts';
import { requireVersion, versionOf } from './state-version.ts';

/** The port to the records of mail hosts. */
export interface MailHostAdmin {
  /** Looks up a host name or an IP address; `undefined` when the text is neither. */
  lookUp(text: string): Promise<MailHostReport | undefined>;
  /** @throws when it could not be stored */
  forget(report: MailHostReport, entry: AuditEntry): Promise<void>;
  /** Sets or removes "never flag". @throws when it could not be stored */
  neverFlag(report: MailHostReport, on: boolean, entry: AuditEntry): Promise<void>;
}

export interface MailHostRoutesOptions {
  readonly hosts: MailHostAdmin;
  readonly store: Pick<AuditStore, 'auditEntries'>;
}

interface ForgetBody {
  readonly host: string;
}

interface NeverFlagBody extends ForgetBody {
  readonly never_flag: boolean;
}

export function mailHostRoutes(routes: DashboardRoutes, { hosts, store }: MailHostRoutesOptions): void {
  routes.forOperator({
    method: 'GET',
    path: '/intelligence/host',
    handle: async ({ query }) => withVersion(await requireReport('q', query.q ?? '')),
  });

  routes.forOperator<ForgetBody>({
    method: 'POST',
    path: '/intelligence/host/forget',
    body: bodyOf({ host: TEXT }),
    async handle({ body, query, auditEntry }): Promise<VersionedMailHostReport> {
      const report = await requireChangeable(body.host, query.version, 'forget');
      const target = report.remembered_as;
      await hosts.forget(
        report,
        auditEntry(null, 'intelligence.host_forgotten', target, describeSeen(report)),
      );
      return withVersion(await requireReport('host', body.host));
    },
  });

  routes.forOperator<NeverFlagBody>({
    method: 'POST',
    path: '/intelligence/host/never-flag',
    body: bodyOf({ host: TEXT, never_flag: { type: 'boolean' } }),
    async handle({ body, query, auditEntry }): Promise<VersionedMailHostReport> {
      const change = body.never_flag ? 'never_flag' : 'flag_again';
      const report = await requireChangeable(body.host, query.version, change);
      const action = body.never_flag ? 'intelligence.host_never_flagged' : 'intelligence.host_judged_again';
      const entry = auditEntry(null, action, report.remembered_as, describeSeen(report));
      await hosts.neverFlag(report, body.never_flag, entry);
      return withVersion(await requireReport('host', body.host));
    },
  });

  /** @throws Problem `conflict` when it would change nothing, `changed_meanwhile` when somebody else decided meanwhile */
  async function requireChangeable(
    host: string,
    version: string | undefined,
    change: MailHostChange,
  ): Promise<MailHostReport> {
    const report = await requireReport('host', host);
    await requireVersion(version, hostFacts(report), { store, accountId: null });
    const why = whyNoChange(report, change);
    if (why === undefined) return report;
    throw new Problem('conflict', 'host', { message: why, resolution: 'Nothing was changed.' });
  }

  async function requireReport(param: string, text: string): Promise<MailHostReport> {
    const report = await hosts.lookUp(text);
    if (report !== undefined) return report;
    throw unusable(
      param,
      'This is not a host name or an IP address.',
      'Send one such as mx.example.net or 203.0.113.7.',
    );
  }
}

function withVersion(report: MailHostReport): VersionedMailHostReport {
  return { ...report, version: versionOf(hostFacts(report)) };
}
