/** The `gatehouse` command. */
import { runCli } from './cli/cli.ts';

// A reader such as `head` may close the output early: the command still does its work.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

const status = await runCli(process.argv.slice(2));
// A start that failed half-way may have left threads and timers behind: they must not keep the process.
if (status !== 0) process.exit(status);
