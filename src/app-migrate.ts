/** Moves the embedded installation of a data folder into PostgreSQL. */
import type { Config } from './config.ts';
import { refuseStrangers } from './store/migrate-checkpoint.ts';
import { type Moved, type MoveOptions, move } from './store/migrate-store.ts';
import { findSecret, otherSecret } from './store/secret.ts';
import { openSqliteSource } from './store/sqlite/migrate-source.ts';

export type { Moved, MoveProgress } from './store/migrate-store.ts';

/** @throws with one line when it cannot, or when what stands in PostgreSQL afterwards is not the same */
export async function moveInstallation(
  { dataDir, secret: given }: Pick<Config, 'dataDir' | 'secret'>,
  url: string,
  onProgress: MoveOptions['onProgress'],
): Promise<Moved> {
  const source = openSqliteSource(dataDir);
  try {
    const found = findSecret(dataDir);
    if (given !== null && found !== undefined && !found.equals(given)) throw otherSecret(dataDir);
    const secret = given ?? found;
    if (secret === undefined)
      throw new Error(
        `secret.key is missing in ${dataDir}: restore it from a backup, or set GATEHOUSE_SECRET to it`,
      );
    if (!source.isSecret(secret)) {
      const what = given === null ? `secret.key in ${dataDir}` : 'GATEHOUSE_SECRET';
      throw new Error(`${what} is not the secret that the database there is used with`);
    }
    const { openPostgresTarget } = await import('./store/postgres/migrate-target.ts');
    const target = await openPostgresTarget({ url, check: (opened) => refuseStrangers(source, opened) });
    try {
      return await move({ source, target, secret, secretMoves: given === null, onProgress });
    } finally {
      await target.close();
    }
  } finally {
    source.close();
  }
}
