/** Writes the operator's feeds file: a few feeds from the test's server, all others off. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FEEDS } from '../../src/intel/feeds.ts';
import type { Environment, Installation } from './service.ts';

/** Feed id → its entry in the file. Sets the environment that a service or a command needs on the installation. */
export async function useFeeds(
  installation: Installation,
  feeds: Readonly<Record<string, object>>,
): Promise<Environment> {
  const off = Object.fromEntries(FEEDS.map(({ id }) => [id, { enabled: false }]));
  const file = join(installation.directory, 'feeds.json');
  await writeFile(file, JSON.stringify({ ...off, ...feeds }));
  installation.environment.GATEHOUSE_FEEDS = 'on';
  installation.environment.GATEHOUSE_FEEDS_FILE = file;
  return installation.environment;
}
