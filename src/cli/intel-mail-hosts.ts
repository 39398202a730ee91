/** gatehouse intel host, forget-host, trust-host: what was seen at a mail host, and decisions about it. */
import type { Command } from 'commander';
import { readConfig } from '../config/config.ts';
import type { MailHostReport } from '../contract/dashboard-installation.ts';
import {
  describeForgotten,
  describeSeen,
  MAIL_HOST_STATES,
  type MailHostChange,
  whyNoChange,
} from '../contract/mail-host-words.ts';
import type { MailHostService } from '../evidence/mail-host-service.ts';
import type { AuditEntry } from '../store/audit-store.ts';
import { auditEntry, withStore } from './installation.ts';
import { command } from './options.ts';
import { type OutputOptions, printJson, printLine, printOne, printProgress, wantsJson } from './output.ts';

interface TrustOptions extends OutputOptions {
  readonly undo?: true;
}

const HOST = 'a mail host or an IP address, such as mx.example.net';
const TOGETHER = `
All hosts of one owner have one record: mx7.example.net is stored as *.example.net,
with the addresses of these hosts.
`;
const FIELDS = `
States:${listStates()}.

JSON: host, remembered_as, state, summary; listed, ordinary (domains seen), accounts,
flagged_for (accounts that have it flagged for themselves); listed_domains,
ordinary_domains, hosts (some of each), addresses (each with its own counts);
first_seen, last_seen; decision (never_flag, forgotten, by, at), or null.
`;

const AUDIT_ACTIONS: Readonly<Record<MailHostChange, string>> = {
  forget: 'intelligence.host_forgotten',
  never_flag: 'intelligence.host_never_flagged',
  flag_again: 'intelligence.host_judged_again',
};

export function host(): Command {
  return command('host', 'Show the data about a mail host, and whether it is flagged.')
    .argument('<name>', HOST)
    .addHelpText(
      'after',
      `${TOGETHER}
A host is flagged when it serves many listed disposable domains and few ordinary ones;
other domains that use it are then challenged (disposable_mx). docs/mail-hosts.md
has the rule.
${FIELDS}
Example:
  gatehouse intel host mx.example.net`,
    )
    .action((name: string, options: OutputOptions) =>
      withHost(name, async (report) => print(report, options)),
    );
}

export function forgetHost(): Command {
  return command(
    'forget-host',
    'Delete the data about a mail host and its addresses; counting starts again at zero.',
  )
    .argument('<name>', HOST)
    .addHelpText(
      'after',
      `${TOGETHER}
Every running node follows within a second. Signups that were assessed before keep their
verdicts. New observations count again: if the host must never be flagged, use
trust-host.
${FIELDS}
Example:
  gatehouse intel forget-host mx.example.net`,
    )
    .action((name: string, options: OutputOptions) =>
      decide(name, 'forget', options, async (service, report, entry) => {
        await service.forget(report, entry);
        if (!wantsJson(options))
          printLine(`Forgot ${report.listed} listed and ${report.ordinary} ordinary domains.`);
      }),
    );
}

export function trustHost(): Command {
  return command('trust-host', 'Never flag a mail host and its addresses, whatever domains use it.')
    .argument('<name>', HOST)
    .option('--undo', 'judge it by its data again')
    .addHelpText(
      'after',
      `${TOGETHER}
Every running node follows within a second, and collects no more data about the host.
Listed domains that use it are blocked as before.
${FIELDS}
Examples:
  gatehouse intel trust-host mx.example.net
  gatehouse intel trust-host mx.example.net --undo`,
    )
    .action((name: string, options: TrustOptions) => {
      const on = options.undo !== true;
      return decide(name, on ? 'never_flag' : 'flag_again', options, (service, report, entry) =>
        service.neverFlag(report, on, entry),
      );
    });
}

/** Decides about a host, then prints what is known of it; or prints why the decision would change nothing. */
function decide(
  name: string,
  change: MailHostChange,
  options: OutputOptions,
  apply: (service: MailHostService, report: MailHostReport, entry: AuditEntry) => Promise<void>,
): Promise<void> {
  return withHost(name, async (report, service) => {
    const why = whyNoChange(report, change);
    if (why !== undefined) {
      printProgress(`${why} Nothing was changed.`);
      if (wantsJson(options)) printJson(report);
      return;
    }
    const entry = auditEntry(null, AUDIT_ACTIONS[change], report.remembered_as, describeSeen(report));
    await apply(service, report, entry);
    print((await service.lookUp(name)) as MailHostReport, options);
  });
}

/** @throws when the text is no host */
async function withHost(
  name: string,
  work: (report: MailHostReport, service: MailHostService) => Promise<void>,
): Promise<void> {
  const [{ createMailHostService }, { openIntel }, { DEFAULT_POLICY }] = await Promise.all([
    import('../evidence/mail-host-service.ts'),
    import('../wiring/intel.ts'),
    import('../signup/policy.ts'),
  ]);
  const config = readConfig();
  await withStore(async (store) => {
    const intel = () => openIntel(config);
    const minListed = config.disposableMxMin;
    const defaultPoints = DEFAULT_POLICY.weights.disposable_mx;
    const service = createMailHostService({ store, intel, minListed, defaultPoints, clock: Date.now });
    const report = await service.lookUp(name);
    if (report === undefined) throw new Error(`${name} is not a host name or an IP address`);
    await work(report, service);
  });
}

function listStates(): string {
  const states = Object.entries(MAIL_HOST_STATES).map(([state, words]) => `${state} (${words})`);
  return states.map((text, at) => (at % 2 === 0 ? `\n  ${text}` : ` ${text}`)).join(',');
}

function print(report: MailHostReport, options: OutputOptions): void {
  if (wantsJson(options)) {
    printJson(report);
    return;
  }
  const {
    state,
    flagged_for,
    summary,
    listed_domains,
    ordinary_domains,
    hosts,
    addresses,
    decision,
    ...row
  } = report;
  printLine(`${summary}\n`);
  const forgotten = describeForgotten(decision?.forgotten ?? 0);
  const names = (list: readonly string[]) => (list.length === 0 ? null : list.join(', '));
  printOne(
    {
      ...row,
      state: MAIL_HOST_STATES[state],
      flagged_for: `${flagged_for} ${flagged_for === 1 ? 'account' : 'accounts'}`,
      listed_domains: names(listed_domains),
      ordinary_domains: names(ordinary_domains),
      hosts: names(hosts),
      addresses: names(
        addresses.map(
          ({ address, state, listed, ordinary }) =>
            `${address} (${MAIL_HOST_STATES[state]}, ${listed} listed, ${ordinary} ordinary)`,
        ),
      ),
      never_flag: decision?.never_flag ?? false,
      ...(forgotten === '' ? {} : { forgotten: forgotten.replace('forgotten ', '') }),
      decided_by: decision === null ? null : `${decision.by}, ${decision.at}`,
    },
    options,
  );
}
