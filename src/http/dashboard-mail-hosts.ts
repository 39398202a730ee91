/** GET /intelligence/host; POST to forget a mail host, or never to flag it: for operators. */
import type { MailHostReport } from '../contract/dashboard-installation.ts';
import { describeSeen, type MailHostChange, whyNoChange } from '../contract/mail-host-words.ts';
import { Problem } from '../contract/problem.ts';
import type { AuditEntry } from '../store/audit-store.ts';
import type { DashboardRoutes } from './dashboard-route.ts';
import { bodyOf, TEXT, unusable } from './dashboard-values.ts';

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
}

interface ForgetBody {
  readonly host: string;
}

interface NeverFlagBody extends ForgetBody {
  readonly never_flag: boolean;
}

export function mailHostRoutes(routes: DashboardRoutes, { hosts }: MailHostRoutesOptions): void {
  routes.forOperator({
    method: 'GET',
    path: '/intelligence/host',
    handle: ({ query }) => requireReport('q', query.q ?? ''),
  });

  routes.forOperator<ForgetBody>({
    method: 'POST',
    path: '/intelligence/host/forget',
    body: bodyOf({ host: TEXT }),
    async handle({ body, auditEntry }): Promise<MailHostReport> {
      const report = await requireChangeable(body.host, 'forget');
      const target = report.remembered_as;
      await hosts.forget(
        report,
        auditEntry(null, 'intelligence.host_forgotten', target, describeSeen(report)),
      );
      return requireReport('host', body.host);
    },
  });

  routes.forOperator<NeverFlagBody>({
    method: 'POST',
    path: '/intelligence/host/never-flag',
    body: bodyOf({ host: TEXT, never_flag: { type: 'boolean' } }),
    async handle({ body, auditEntry }): Promise<MailHostReport> {
      const report = await requireChangeable(body.host, body.never_flag ? 'never_flag' : 'flag_again');
      const action = body.never_flag ? 'intelligence.host_never_flagged' : 'intelligence.host_judged_again';
      const entry = auditEntry(null, action, report.remembered_as, describeSeen(report));
      await hosts.neverFlag(report, body.never_flag, entry);
      return requireReport('host', body.host);
    },
  });

  /** @throws Problem `conflict` when it would change nothing */
  async function requireChangeable(host: string, change: MailHostChange): Promise<MailHostReport> {
    const report = await requireReport('host', host);
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
