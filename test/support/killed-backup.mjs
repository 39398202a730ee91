/** Runs `gatehouse …` like a shell, and kills it as soon as a file of its backup is half there. */
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { dirname } from 'node:path';

const args = process.argv.slice(2);
const file = args[args.indexOf('backup') + 1];
const watcher = watch(dirname(file), (_, name) => {
  if (name?.endsWith('.partial')) child.kill('SIGKILL');
});
const child = spawn(process.execPath, args, { stdio: 'inherit' });
child.once('exit', (status) => {
  watcher.close();
  process.exitCode = status ?? 1;
});
