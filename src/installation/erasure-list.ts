/** The list of erasures in a data folder: keyed hashes alone, to erase the same people again in a restored backup. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { HashedPerson } from '../model/hashed-person.ts';
import { makeFolder } from '../store/sqlite-connection.ts';

/** File of this data folder's installation, one line an erasure. */
const ERASURES = 'erasures.jsonl';

/** The installation whose data folder it is. */
export interface DataPlace {
  readonly dataDir: string;
}

export const erasuresFile = ({ dataDir }: DataPlace) => join(dataDir, ERASURES);

/** Notes an erasure, which is on the disk when this returns. */
export function noteErasure(config: DataPlace, person: HashedPerson): void {
  makeFolder(config.dataDir);
  const handle = openSync(erasuresFile(config), 'a+', 0o600);
  try {
    // A line without its end was never noted: the process ended before anything was erased.
    const whole = wholeLines(readFileSync(handle));
    ftruncateSync(handle, whole.length);
    writeSync(handle, `${JSON.stringify(person)}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** @throws in one line when it cannot be read, or is no such list */
export function readErasures(file: string): HashedPerson[] {
  const text = wholeLines(readList(file)).toString('utf8');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line, at) => {
      const person = readPerson(line);
      if (person === undefined) throw noList(file, `line ${at + 1} is not an erasure`);
      return person;
    });
}

/** Reads the erasures of a data folder; empty where nobody was erased. @throws in one line when it is no such list */
export function readOwnErasures(config: DataPlace): HashedPerson[] {
  return existsSync(erasuresFile(config)) ? readErasures(erasuresFile(config)) : [];
}

/** Adds those of another list, each once. */
export function addErasures(config: DataPlace, people: readonly HashedPerson[]): void {
  const known = new Set(readOwnErasures(config).map((person) => JSON.stringify(person)));
  for (const person of people) {
    if (known.has(JSON.stringify(person))) continue;
    known.add(JSON.stringify(person));
    noteErasure(config, person);
  }
}

/** Takes out an account that is deleted. Lines of other accounts stay as they are. */
export function forgetErasures(config: DataPlace, accountId: string): void {
  const file = erasuresFile(config);
  if (!existsSync(file)) return;
  const lines = readFileSync(file, 'utf8').split('\n');
  const kept = lines.filter((line) => accountOf(line) !== accountId);
  if (kept.length === lines.length) return;
  if (kept.every((line) => line === '')) {
    rmSync(file);
    return;
  }
  const next = `${file}.next`;
  writeFileSync(next, kept.join('\n'), { mode: 0o600, flush: true });
  renameSync(next, file);
}

function wholeLines(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.lastIndexOf('\n') + 1);
}

function readList(file: string): Buffer {
  try {
    const bytes = readFileSync(file);
    if (bytes.length > 0 && !bytes.includes('\n')) throw new Error('no line ends');
    return bytes;
  } catch (error) {
    throw noList(file, (error as Error).message);
  }
}

function noList(file: string, why: string): Error {
  return new Error(
    `${file} is not a list of erasures (${why}): name erasures.jsonl of the data folder in which people were erased, or a copy of it`,
  );
}

function readPerson(line: string): HashedPerson | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { account, hashes, until } = value as Partial<Record<keyof HashedPerson, unknown>>;
  const isTexts =
    Array.isArray(hashes) && hashes.length > 0 && hashes.every((each) => typeof each === 'string');
  if (typeof account !== 'string' || !isTexts || !Number.isSafeInteger(until)) return undefined;
  return { account, hashes, until: until as number };
}

function accountOf(line: string): unknown {
  try {
    return (JSON.parse(line) as { account?: unknown }).account;
  } catch {
    return undefined;
  }
}
