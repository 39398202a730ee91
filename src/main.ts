/** The `gatehouse` command. */
import { runCli } from './cli/cli.ts';

const status = await runCli(process.argv.slice(2));
// A start that failed half-way may have left threads and timers behind: they must not keep the process.
if (status !== 0) process.exit(status);
