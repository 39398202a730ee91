/** Decides where a command writes a secret that it made: to a terminal or as `--json`, else to a file. */
import { existsSync } from 'node:fs';
import type { Config } from '../config.ts';
import { type OutputRow, printLine, printOne, wantsJson } from './output.ts';
import { writeSecretFile } from './secret-file.ts';

interface Options {
  readonly json?: true;
}

export interface Secret {
  /** Its name in the row: `key`. */
  readonly name: string;
  readonly text: string;
  /** The file in the data folder, if it is written to one. */
  readonly fileName: string;
}

/** What the help of a command that makes a secret says about it. */
export const SECRET_JSON_HELP =
  'print JSON with the secret; without this option, if the output is not a terminal, the secret is written to a file';

/** Called before the secret is made. @throws when there is no place to write it */
export function checkSecretPlace(
  { dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>,
  options: Options,
): void {
  // Without DATABASE_URL the installation is in the folder, so that exists.
  if (databaseUrl === null || isPrinted(options) || existsSync(dataDir)) return;
  throw new Error(
    `the output is not a terminal, and there is no data folder ${dataDir} (GATEHOUSE_DATA_DIR) to write the secret to; use --json to print it`,
  );
}

/** @param remark for people, below the row, where the secret is printed */
export function handOverSecret(
  row: OutputRow,
  { name, text, fileName }: Secret,
  { dataDir }: Pick<Config, 'dataDir'>,
  options: Options,
  remark?: string,
): void {
  if (!isPrinted(options)) {
    const file = writeSecretFile(dataDir, fileName, `${text}\n`);
    printOne({ ...row, [`${name}_file`]: file }, options);
    return;
  }
  printOne({ ...row, [name]: text }, options);
  if (remark !== undefined && !wantsJson(options)) printLine(`\n${remark}`);
}

/** A secret that is piped without `--json` might end up in a log. */
function isPrinted({ json }: Options): boolean {
  return json === true || process.stdout.isTTY === true;
}
