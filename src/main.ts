/** The `gatehouse` command. */
import { runCli } from './cli/cli.ts';

// Whoever reads the output may have seen enough of it: what the command is to do is done all the same.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

const status = await runCli(process.argv.slice(2));
// A start that failed half-way may have left threads and timers behind: they must not keep the process.
if (status !== 0) process.exit(status);
