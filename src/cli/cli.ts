/** Builds the program from its commands, and turns an error into one line and an exit status. */
import { Command, CommanderError } from 'commander';
import { readVersion } from '../platform/version.ts';
import type { CommandOptions } from './commands.ts';
import { failureLine } from './output.ts';
import { start } from './start.ts';

const FAILED = 1;
const WRONG_USAGE = 2;

export function createProgram(commands: readonly Command[]): Command {
  const program = new Command('gatehouse')
    .description('Decide whether to let a signup in.')
    .version(readVersion(), '-V, --version', 'print the version')
    .addHelpText('after', HELP)
    .showSuggestionAfterError(true);
  for (const command of commands) program.addCommand(command);
  return program;
}

/** @returns the exit status: 0, 1 when the command failed, 2 when it was used wrongly */
export async function runCli(args: readonly string[], options: CommandOptions = {}): Promise<number> {
  // The service starts sooner when no other command is loaded.
  const program = createProgram(args[0] === 'start' ? [start()] : await loadCommands(options));
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

async function loadCommands(options: CommandOptions): Promise<Command[]> {
  const { allCommands } = await import('./commands.ts');
  return allCommands(options);
}

const HELP = `
Where it is: \`npx gatehouse-server …\` in the folder of the clone or of the npm package, \`gatehouse …\` in the
container. (\`npx gatehouse\` anywhere else would fetch another package of that name.)

Examples:
  gatehouse start
  gatehouse key create --account acc_… --mode live --name "signup form"
  gatehouse list add --account acc_… --deny 203.0.113.0/24 --expires 30d
  gatehouse user link someone@example.com
  gatehouse assess someone@example.com --ip 203.0.113.7 --explain

Settings are environment variables: see docs/settings.md. All documents: docs/README.md.
Both are in the folder of the package (node_modules/gatehouse-server) or of the clone.`;

/** Every command throws instead of exiting; `fail` prints the one line of an error. */
function quiet(command: Command): void {
  command.exitOverride().configureOutput({ outputError: () => {}, writeErr: () => {} });
  for (const child of command.commands) quiet(child);
}

/** Error for no command at all, a group without a command, or `help` for an unknown command. */
function missing(program: Command, [first]: readonly string[]): Error {
  const group = program.commands.some((command) => command.name() === first) ? ` ${first}` : '';
  return new Error(`a command is missing; \`gatehouse${group} --help\` shows them`);
}

function fail(error: unknown, status: number): number {
  process.stderr.write(`gatehouse: ${failureLine(error)}\n`);
  return status;
}
