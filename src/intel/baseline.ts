/** Decides when and from what the bundled snapshot is compiled. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SourceInfo } from '../model/source.ts';
import { writeAtomically } from './atomic-write.ts';
import { versionOf } from './baseline-files.ts';
import { type BaselineOptions, readBaseline } from './baseline-reader.ts';
import { compileSnapshot } from './compile.ts';
import { BASELINE_SOURCES } from './sources.ts';

const OWN_FOLDER = fileURLToPath(new URL('.', import.meta.url));

export interface CompiledBaseline {
  readonly id: string;
  /** Length of the file. */
  readonly bytes: number;
  readonly sources: readonly SourceInfo[];
}

/** Reads every bundled source and writes one snapshot file, whole or not at all. Needs the data packages. */
export async function compileBaseline(
  options: BaselineOptions & { readonly outFile: string },
): Promise<CompiledBaseline> {
  const knowledge = readBaseline(options);
  const { id, bytes } = compileSnapshot(knowledge);
  await writeAtomically(resolve(options.outFile), bytes);
  return { id, bytes: bytes.length, sources: knowledge.sources };
}

/** The packages that the baseline is compiled from, each once. */
export function dataPackages(): string[] {
  return [...new Set(BASELINE_SOURCES.flatMap((source) => source.package ?? []))];
}

/**
 * A hash of everything the baseline is made from: package versions, own data files, this room's code, and
 * the country files if they are not the bundled ones. The same key means the same snapshot.
 */
export function inputsKey({ countryFiles = [] }: Pick<BaselineOptions, 'countryFiles'> = {}): string {
  const hash = createHash('sha256');
  const { icu } = process.versions;
  hash.update(`icu ${icu}\ntldts ${versionOf({ package: 'tldts', files: [] })}\n`);
  for (const source of BASELINE_SOURCES) hash.update(`${source.id} ${versionOf(source)}\n`);
  for (const path of ownInputs()) hash.update(`${path}\n`).update(readFileSync(join(OWN_FOLDER, path)));
  for (const file of countryFiles) hash.update(`${file}\n`).update(readFileSync(file));
  return hash.digest('hex');
}

/** This folder's code and data, without tests and maps, in a fixed order. */
function ownInputs(): string[] {
  return readdirSync(OWN_FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((path) => ['.ts', '.js', '.txt'].includes(extname(path)) && !/\.(test|suite|d)\.ts$/.test(path))
    .sort();
}
