/** gatehouse intel host, forget-host, trust-host */
import type { Command } from 'commander';
import type { HostDesk } from '../app-mail-host-service.ts';
import { readConfig } from '../config.ts';
import type { MailHostReport } from '../contract/dashboard-installation.ts';
import { BASELINE_FILE } from '../intel/baseline.ts';
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
with it the addresses that these hosts have.`;

export function intelHost(): Command {
  return command('host', 'Show what was seen at a mail host, and whether it is flagged.')
    .argument('<name>', HOST)
    .addHelpText(
      'after',
      `${TOGETHER} A host is flagged when it serves many listed disposable
domains and few ordinary ones; other domains with their mail there are then challenged
(disposable_mx). docs/scoring.md has the rule.

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
  return command('forget-host', 'Forget what was seen at a mail host and its addresses; it begins at zero.')
    .argument('<name>', HOST)
    .addHelpText(
      'after',
      `${TOGETHER} Every running node follows within a second. Signups that were
assessed before keep their verdicts. What is seen from now on counts again: if the host
must never be flagged, use trust-host.

Example:
  gatehouse intel forget-host mx.example.net`,
    )
    .action((name: string, options: Options) =>
      withHost(name, async (report, desk) => {
        const detail = `${report.listed} listed, ${report.ordinary} ordinary, ${report.accounts} accounts`;
        const entry = auditEntry(null, 'intelligence.host_forgotten', report.remembered_as, detail);
        await desk.forget(report, entry);
        show((await desk.look(name)) as MailHostReport, options);
      }),
    );
}

export function intelTrustHost(): Command {
  return command('trust-host', 'Never flag a mail host and its addresses, whatever is seen there.')
    .argument('<name>', HOST)
    .option('--undo', 'judge it again by what was seen')
    .addHelpText(
      'after',
      `${TOGETHER} Every running node follows within a second, and nothing more is
learned there. Listed domains with their mail there are blocked as before.

Examples:
  gatehouse intel trust-host mx.example.net
  gatehouse intel trust-host mx.example.net --undo`,
    )
    .action((name: string, options: Options) =>
      withHost(name, async (report, desk) => {
        const on = options.undo !== true;
        const action = on ? 'intelligence.host_never_flagged' : 'intelligence.host_judged_again';
        await desk.neverFlag(report, on, auditEntry(null, action, report.remembered_as, ''));
        show((await desk.look(name)) as MailHostReport, options);
      }),
    );
}

/** @throws when the text is no host */
async function withHost(
  name: string,
  work: (report: MailHostReport, desk: HostDesk) => Promise<void>,
): Promise<void> {
  const [{ createHostDesk }, { openCurrent }] = await Promise.all([
    import('../app-mail-host-service.ts'),
    import('../intel/refresh/live-intel.ts'),
  ]);
  const { dataDir, disposableMxMin: minListed } = readConfig();
  await withStore(async (store) => {
    const intel = () => openCurrent(dataDir, BASELINE_FILE);
    const desk = createHostDesk({ store, intel, minListed, clock: Date.now });
    const report = await desk.look(name);
    if (report === undefined) throw new Error(`${name} is no host name and no IP address`);
    await work(report, desk);
  });
}

function show(report: MailHostReport, options: Options): void {
  if (wantsJson(options)) {
    printJson(report);
    return;
  }
  const { summary, listed_domains, ordinary_domains, hosts, addresses, decision, ...row } = report;
  printLine(`${summary}\n`);
  const names = (list: readonly string[]) => (list.length === 0 ? null : list.join(', '));
  printOne(
    {
      ...row,
      listed_domains: names(listed_domains),
      ordinary_domains: names(ordinary_domains),
      hosts: names(hosts),
      addresses: names(
        addresses.map(
          ({ address, state, listed, ordinary }) => `${address} (${state}, ${listed}:${ordinary})`,
        ),
      ),
      never_flag: decision?.never_flag ?? false,
      forgotten: decision?.forgotten ?? 0,
      decided_by: decision === null ? null : `${decision.by}, ${decision.at}`,
    },
    options,
  );
}
