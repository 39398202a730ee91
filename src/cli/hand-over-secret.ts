/** Decides where a command writes a secret that it made: to a terminal or as `--json`, else to a file for its owner only. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { writePrivateFile } from '../platform/private-file.ts';
import {
  type OutputOptions,
  type OutputRow,
  printLine,
  printOne,
  printProgress,
  wantsJson,
} from './output.ts';

export interface Secret {
  /** Its name in the row: `key`. */
  readonly name: string;
  readonly text: string;
  /** The file in the data folder, if it is written to one. */
  readonly fileName: string;
}

/** Name of a file that is written and removed to see whether there is room. */
const ROOM_FILE = 'room-for-a-secret';
const ROOM_BYTES = 4_096;

/** Sentence about the secret in the help of a command that makes one. */
export const SECRET_JSON_HELP =
  'print JSON with the secret; without this option, if the output is not a terminal, the secret is written to a file';

/** Called before the secret is made. @throws when there is no place to write it */
export function checkSecretPlace(
  { dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>,
  options: OutputOptions,
): void {
  if (isPrinted(options)) return;
  if (existsSync(dataDir)) {
    // A full disk is noticed now, not when the secret is stored and cannot be written any more.
    writeSecretFile(dataDir, ROOM_FILE, ' '.repeat(ROOM_BYTES));
    removeSecretFile(dataDir, ROOM_FILE);
    return;
  }
  // Then there is no installation either, and the command says so.
  if (databaseUrl === null) return;
  throw new Error(
    `the output is not a terminal, and there is no data folder ${dataDir} (GATEHOUSE_DATA_DIR) to write the secret to; use --json to print it`,
  );
}

/** @param remark for people, below the row, where the secret is printed */
export function handOverSecret(
  row: OutputRow,
  { name, text, fileName }: Secret,
  { dataDir }: Pick<Config, 'dataDir'>,
  options: OutputOptions,
  remark?: string,
): void {
  if (!isPrinted(options)) {
    const file = writeSecretFile(dataDir, fileName, `${text}\n`);
    printOne({ ...row, [`${name}_file`]: file }, options);
    return;
  }
  printOne({ ...row, [name]: text }, options, (line) => {
    process.stdout.write(`${line}\n`, (error) => {
      if (error) keepUnprinted(dataDir, fileName, text);
    });
  });
  if (remark !== undefined && !wantsJson(options)) printLine(`\n${remark}`);
}

/** The reader of the output has ended: nobody has the secret, which is stored already. */
function keepUnprinted(dataDir: string, fileName: string, text: string): void {
  process.exitCode = 1;
  if (existsSync(join(dataDir, fileName))) return;
  const file = writeSecretFile(dataDir, fileName, `${text}\n`);
  printProgress(`gatehouse: the output was closed, so the secret is in ${file}`);
}

/** A secret that is piped without `--json` might end up in a log. */
function isPrinted({ json }: OutputOptions): boolean {
  return json === true || process.stdout.isTTY === true;
}

/**
 * Writes a secret to a file in the data folder, which replaces an earlier one of this name whole.
 * @returns its path @throws naming the setting when it cannot be written
 */
export function writeSecretFile(dataDir: string, name: string, text: string): string {
  const file = join(dataDir, name);
  try {
    writePrivateFile(file, text);
  } catch (error) {
    throw new Error(`cannot write to the data folder (GATEHOUSE_DATA_DIR): ${(error as Error).message}`);
  }
  return file;
}

export function removeSecretFile(dataDir: string, name: string): void {
  rmSync(join(dataDir, name), { force: true });
}
