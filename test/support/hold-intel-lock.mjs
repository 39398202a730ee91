// A node in the middle of a round: takes the lock, reports it, and writes after it reads a line from standard input.
import { once } from 'node:events';
import { openIntelRepository } from '../../dist/store/postgres/intel-repository.js';

const [, , url, silenceMs] = process.argv;
const repository = openIntelRepository({ url, build: 'build', scope: 'scope', silenceMs: Number(silenceMs) });

const result = await repository.lock.tryHold(async () => {
  process.stdout.write('held\n');
  await once(process.stdin, 'data');
  return repository.feeds
    .saveState({ id: 'a-feed', url: 'https://a.example' }, '"of the frozen node"', [])
    .then(
      () => 'wrote',
      (error) => `refused: ${error.message}`,
    );
});
process.stdout.write(`${result}\n`);
await repository.close();
process.stdin.destroy();
