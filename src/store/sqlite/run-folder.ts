/** The folder of sealed runs: which there are, that they are of this database, and how they are replaced. */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordSource } from './record-source.ts';
import { type BlockCache, createBlockCache, DamagedRun, openRunFile, type RunFile } from './run-file.ts';
import type { RunDescription } from './run-format.ts';
import { createOpenFiles, type OpenFiles } from './run-open-files.ts';
import { openSealedRun } from './run-sealed.ts';
import { RUN_SIZE, type Segment } from './run-segment.ts';

export interface RunFolder {
  /** The sealed runs by their first number. Notices what another process added, replaced or removed. */
  runs(): ReadonlyMap<number, OpenRun>;
  readonly runSize: number;
  /** The first number of the run that a number is in. */
  firstOf(seq: number): number;
  pathOf(firstSeq: number): string;
  remove(firstSeq: number): void;
  close(): void;
}

export interface OpenRun {
  readonly segment: Segment;
  readonly description: RunDescription;
}

interface KnownRun extends OpenRun {
  readonly file: RunFile;
  /** Of the file's content: changes when it is replaced. */
  readonly mark: string;
}

const NAME = /^(\d{16})\.run$/;
const TEMPORARY = /\.tmp$/;
/** Another process may be writing one that is younger. */
const LEFT_BEHIND_MS = 3_600_000;
/** Two changes of a folder within this may have the same time. */
const SAME_TIME_MS = 100;

/** @param runSize so many numbers share a run, at most `RUN_SIZE` */
export function openRunFolder(
  path: string,
  source: Pick<RecordSource, 'read' | 'newestSeq'>,
  runSize: number = RUN_SIZE,
): RunFolder {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const cache = createBlockCache();
  const files = createOpenFiles();
  const known = new Map<number, KnownRun>();
  let seen = '';
  const pathOf = (firstSeq: number) => join(path, `${String(firstSeq).padStart(16, '0')}.run`);

  function refresh(): void {
    // Any change of its names changes the time of the folder.
    const now = markOf(path);
    if (now === seen) return;
    seen = Date.now() - statSync(path).mtimeMs < SAME_TIME_MS ? '' : now;
    const there = new Set<number>();
    for (const name of readdirSync(path)) {
      const firstSeq = Number(NAME.exec(name)?.[1] ?? Number.NaN);
      if (Number.isNaN(firstSeq)) continue;
      const mark = markOf(pathOf(firstSeq));
      if (known.get(firstSeq)?.mark !== mark && !open(firstSeq, mark)) continue;
      there.add(firstSeq);
    }
    for (const firstSeq of known.keys()) if (!there.has(firstSeq)) forget(firstSeq);
  }

  /** Whether it is a run of this database; removes it where not. */
  function open(firstSeq: number, mark: string): boolean {
    forget(firstSeq);
    const run = openOwn(pathOf(firstSeq), { firstSeq, runSize }, source, { cache, files });
    if (run === undefined) rmSync(pathOf(firstSeq), { force: true });
    else known.set(firstSeq, { ...run, mark });
    return run !== undefined;
  }

  function forget(firstSeq: number): void {
    known.get(firstSeq)?.file.close();
    known.delete(firstSeq);
  }

  removeLeftovers(path);
  return {
    runs() {
      refresh();
      return known;
    },
    runSize,
    firstOf: (seq) => Math.floor((seq - 1) / runSize) * runSize + 1,
    pathOf,
    remove(firstSeq) {
      forget(firstSeq);
      rmSync(pathOf(firstSeq), { force: true });
    },
    close() {
      for (const firstSeq of [...known.keys()]) forget(firstSeq);
    },
  };
}

/** `undefined` where it is damaged, or of another database. */
function openOwn(
  path: string,
  { firstSeq, runSize }: Pick<RunDescription, 'firstSeq' | 'runSize'>,
  source: Pick<RecordSource, 'read' | 'newestSeq'>,
  { cache, files }: { readonly cache: BlockCache; readonly files: OpenFiles },
): Omit<KnownRun, 'mark'> | undefined {
  let file: RunFile;
  try {
    file = openRunFile(path, cache, files);
  } catch (error) {
    // What the disk or the system says is no fault of the file.
    if (error instanceof DamagedRun) return undefined;
    throw error;
  }
  const { description } = file;
  const isSame = description.firstSeq === firstSeq && description.runSize === runSize;
  if (isSame && isOf(description, source)) return { file, description, segment: openSealedRun(file) };
  file.close();
  return undefined;
}

/** Whether its samples are records of this database. Some may have been removed since, but not all of them. */
function isOf({ samples }: RunDescription, source: Pick<RecordSource, 'read' | 'newestSeq'>): boolean {
  if ((samples.at(-1)?.seq ?? 0) > source.newestSeq()) return false;
  const stored = new Map(
    source.read(samples.map(({ seq }) => seq)).map((record) => [record.seq, record.requestId]),
  );
  return (
    stored.size > 0 && samples.every(({ seq, requestId }) => (stored.get(seq) ?? requestId) === requestId)
  );
}

function removeLeftovers(path: string): void {
  for (const name of readdirSync(path)) {
    if (!TEMPORARY.test(name)) continue;
    const file = join(path, name);
    const { mtimeMs = Number.POSITIVE_INFINITY } = statSync(file, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > LEFT_BEHIND_MS) rmSync(file, { force: true });
  }
}

/** Differs when a file or folder has changed, or is another one. */
function markOf(path: string): string {
  const status = statSync(path, { throwIfNoEntry: false });
  return status === undefined ? 'gone' : `${status.ino} ${status.size} ${status.mtimeMs}`;
}
