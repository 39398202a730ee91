/** Packs `gatehouse-client` as for publication; the tests install this package. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './command.ts';
import { npmEnvironment } from './npm-environment.ts';

/** @returns the path of the tarball, in that folder */
export async function packClient(folder: string): Promise<string> {
  const { stdout } = await promisify(execFile)('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: join(ROOT, 'client'),
    env: npmEnvironment(),
  });
  const [packed] = JSON.parse(stdout) as { filename: string }[];
  return join(folder, packed?.filename ?? '');
}
