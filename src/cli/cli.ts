/** Builds the program from its commands, and turns an error into one line and an exit status. */
import { Command, CommanderError } from 'commander';
import { readVersion } from '../version.ts';
import { accountCreate } from './account-create.ts';
import { accountList } from './account-list.ts';
import { accountSet } from './account-set.ts';
import { assess } from './assess.ts';
import { failureLine } from './failure-line.ts';
import { intelCheck } from './intel-check.ts';
import { intelExport } from './intel-export.ts';
import { intelForgetHost, intelHost, intelTrustHost } from './intel-hosts.ts';
import { intelImport } from './intel-import.ts';
import { intelRefresh } from './intel-refresh.ts';
import { intelRollback } from './intel-rollback.ts';
import { intelStatus } from './intel-status.ts';
import { keyCreate } from './key-create.ts';
import { keyList } from './key-list.ts';
import { keyRevoke } from './key-revoke.ts';
import { keySet } from './key-set.ts';
import { listAdd } from './list-add.ts';
import { listRemove } from './list-remove.ts';
import { listShow } from './list-show.ts';
import { migrate } from './migrate.ts';
import { openapi } from './openapi.ts';
import { start } from './start.ts';
import { userEndSessions } from './user-end-sessions.ts';
import { userLink } from './user-link.ts';
import { userList } from './user-list.ts';
import { userVerify } from './user-verify.ts';

const FAILED = 1;
const WRONG_USAGE = 2;

/** All commands, with their help. */
export function createProgram(): Command {
  const program = new Command('gatehouse')
    .description('Decide whether to let a signup in.')
    .version(readVersion(), '-V, --version', 'print the version')
    .addHelpText('after', HELP)
    .showSuggestionAfterError(true);
  program.addCommand(start());
  program.addCommand(
    group('account', 'Create and change accounts.', [accountCreate(), accountSet(), accountList()]),
  );
  program.addCommand(
    group('key', 'Create, change and revoke API keys.', [keyCreate(), keySet(), keyRevoke(), keyList()]),
  );
  program.addCommand(
    group('list', 'Allow and deny signups with an account’s own lists.', [
      listAdd(),
      listRemove(),
      listShow(),
    ]),
  );
  program.addCommand(
    group('intel', 'Show, fetch, move and check feeds, and what was learned about mail hosts.', INTEL()),
  );
  program.addCommand(
    group('user', 'Show the users of the dashboard, and help them sign in.', [
      userLink(),
      userList(),
      userVerify(),
      userEndSessions(),
    ]),
  );
  program.addCommand(assess());
  program.addCommand(migrate());
  program.addCommand(openapi());
  return program;
}

/** @returns the exit status: 0, 1 when the command failed, 2 when it was used wrongly */
export async function runCli(args: readonly string[]): Promise<number> {
  const program = createProgram();
  quiet(program);
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (!(error instanceof CommanderError)) return fail(error, FAILED);
    if (error.exitCode === 0) return 0;
    return fail(error.code === 'commander.help' ? missing(program, args) : error, WRONG_USAGE);
  }
}

const INTEL = () => [
  intelStatus(),
  intelRefresh(),
  intelImport(),
  intelExport(),
  intelCheck(),
  intelRollback(),
  intelHost(),
  intelForgetHost(),
  intelTrustHost(),
];

const HELP = `
Examples:
  gatehouse start
  gatehouse key create --account acc_… --mode live --name "signup form"
  gatehouse list add --account acc_… --deny 203.0.113.0/24 --expires 30d
  gatehouse user link someone@example.com
  gatehouse assess someone@example.com --ip 203.0.113.7 --explain

Settings are environment variables: see docs/settings.md. All documents: docs/README.md.`;

function group(name: string, description: string, commands: readonly Command[]): Command {
  const parent = new Command(name).description(description);
  for (const command of commands) parent.addCommand(command);
  return parent;
}

/** Every command throws instead of exiting; `fail` prints the one line of an error. */
function quiet(command: Command): void {
  command.exitOverride().configureOutput({ outputError: () => {}, writeErr: () => {} });
  for (const child of command.commands) quiet(child);
}

/** For no command at all, a group without a command, or `help` for an unknown command. */
function missing(program: Command, [first]: readonly string[]): Error {
  const group = program.commands.some((command) => command.name() === first) ? ` ${first}` : '';
  return new Error(`a command is missing; \`gatehouse${group} --help\` shows them`);
}

function fail(error: unknown, status: number): number {
  process.stderr.write(`gatehouse: ${failureLine(error)}\n`);
  return status;
}
