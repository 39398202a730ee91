/** gatehouse intel host, forget-host, trust-host */
import type { Command } from 'commander';
import type { MailHostService } from '../app-mail-host-service.ts';
import { readConfig } from '../config.ts';
import type { MailHostReport } from '../contract/dashboard-installation.ts';
import {
  describeForgotten,
  describeSeen,
  MAIL_HOST_STATES,
  type MailHostChange,
  whyNoChange,
} from '../contract/mail-host-words.ts';
import { auditEntry } from './audit-entry.ts';
import { command, printJson, printLine, printOne, wantsJson } from './output.ts';
import { withStore } from './records.ts';

interface Options {
  readonly json?: true;
  readonly undo?: true;
}

const HOST = 'a mail host or an IP address, such as mx.example.net';
const TOGETHER = `
All hosts of one owner are remembered together: mx7.example.net as *.example.net, and
with it the addresses that these hosts have.
`;
const FIELDS = `
States:${listStates()}.

JSON: host, remembered_as, state, summary; listed, ordinary (domains seen), accounts,
flagged_for (accounts that have it flagged for themselves); listed_domains,
ordinary_domains, hosts (some of each), addresses (each with its own counts);
first_seen, last_seen; decision (never_flag, forgotten, by, at), or null.
`;

export function intelHost(): Command {
  return command('host', 'Show what was seen at a mail host, and whether it is flagged.')
    .argument('<name>', HOST)
    .addHelpText(
      'after',
      `${TOGETHER}
A host is flagged when it serves many listed disposable domains and few ordinary ones;
other domains with their mail there are then challenged (disposable_mx). docs/mail-hosts.md
has the rule.
${FIELDS}
Example:
  gatehouse intel host mx.example.net`,
    )
    .action((name: string, options: Options) =>
      withHost(name, async (report) => {
        show(report, options);
      }),
    );
}

export function intelForgetHost(): Command {
  return command(
    'forget-host',
    'Forget what was seen at a mail host and its addresses; counting starts again at zero.',
  )
    .argument('<name>', HOST)
    .addHelpText(
      'after',
      `${TOGETHER}
Every running node follows within a second. Signups that were assessed before keep their
verdicts. What is seen from now on counts again: if the host must never be flagged, use
trust-host.
${FIELDS}
Example:
  gatehouse intel forget-host mx.example.net`,
    )
    .action((name: string, options: Options) =>
      withHost(name, async (report, service) => {
        if (sayNoChange(report, 'forget', options)) return;
        const entry = auditEntry(
          null,
          'intelligence.host_forgotten',
          report.remembered_as,
          describeSeen(report),
        );
        await service.forget(report, entry);
        if (!wantsJson(options))
          printLine(`Forgot ${report.listed} listed and ${report.ordinary} ordinary domains.`);
        show((await service.look(name)) as MailHostReport, options);
      }),
    );
}

export function intelTrustHost(): Command {
  return command('trust-host', 'Never flag a mail host and its addresses, whatever is seen there.')
    .argument('<name>', HOST)
    .option('--undo', 'judge it again by what was seen')
    .addHelpText(
      'after',
      `${TOGETHER}
Every running node follows within a second, and nothing more is learned there. Listed
domains with their mail there are blocked as before.
${FIELDS}
Examples:
  gatehouse intel trust-host mx.example.net
  gatehouse intel trust-host mx.example.net --undo`,
    )
    .action((name: string, options: Options) =>
      withHost(name, async (report, service) => {
        const on = options.undo !== true;
        if (sayNoChange(report, on ? 'never_flag' : 'flag_again', options)) return;
        const action = on ? 'intelligence.host_never_flagged' : 'intelligence.host_judged_again';
        await service.neverFlag(
          report,
          on,
          auditEntry(null, action, report.remembered_as, describeSeen(report)),
        );
        show((await service.look(name)) as MailHostReport, options);
      }),
    );
}

/** @throws when the text is no host */
async function withHost(
  name: string,
  work: (report: MailHostReport, service: MailHostService) => Promise<void>,
): Promise<void> {
  const [{ createMailHostService }, { openIntel }] = await Promise.all([
    import('../app-mail-host-service.ts'),
    import('../app-intel-repository.ts'),
  ]);
  const config = readConfig();
  await withStore(async (store) => {
    const intel = () => openIntel(config);
    const service = createMailHostService({
      store,
      intel,
      minListed: config.disposableMxMin,
      clock: Date.now,
    });
    const report = await service.look(name);
    if (report === undefined) throw new Error(`${name} is no host name and no IP address`);
    await work(report, service);
  });
}

/** Whether the decision would change nothing; prints why. */
function sayNoChange(report: MailHostReport, change: MailHostChange, options: Options): boolean {
  const why = whyNoChange(report, change);
  if (why === undefined) return false;
  process.stderr.write(`${why} Nothing was changed.\n`);
  if (wantsJson(options)) printJson(report);
  return true;
}

function listStates(): string {
  const states = Object.entries(MAIL_HOST_STATES).map(([state, words]) => `${state} (${words})`);
  return states.map((text, at) => (at % 2 === 0 ? `\n  ${text}` : ` ${text}`)).join(',');
}

function show(report: MailHostReport, options: Options): void {
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
