/** Writes many signups like real traffic into an embedded database that no service uses. Needs the build. */
import { execFileSync } from 'node:child_process';
import { databaseFile } from './crash-database.ts';
import type { Planted } from './plant.ts';
import type { Installation } from './service.ts';

export interface FillSignups {
  readonly rows: number;
  /** The signups are spread evenly between these two times, milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
}

const FILL = `
  import { fillHistory } from ${JSON.stringify(new URL('../../bench/fill-history.mjs', import.meta.url).href)};
  import { openSqlite } from ${JSON.stringify(new URL('../../dist/platform/sqlite-driver.js', import.meta.url).href)};
  const [file, options] = process.argv.slice(1);
  const database = openSqlite(file);
  fillHistory(database, JSON.parse(options));
  database.close();`;

export function fillSignups(installation: Installation, keys: Planted, signups: FillSignups): void {
  const options = JSON.stringify({ account: keys.id, key: 'key_a', ...signups });
  const args = ['--input-type=module', '-e', FILL, databaseFile(installation), options];
  execFileSync(process.execPath, args);
}
