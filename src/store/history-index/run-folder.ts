/** The folder of sealed runs: which there are, that they are of this database, and how they are replaced. */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordSource } from '../records/record-source.ts';
import { type BlockCache, createBlockCache, DamagedRun, openRunFile } from './run-file.ts';
import type { RunDescription } from './run-format.ts';
import { openSealedRun } from './run-sealed.ts';
import { RUN_SIZE, type Segment } from './run-segment.ts';

export interface RunFolder {
  /** The sealed runs by their first number. Notices what another process added, replaced or removed. */
  runs(): ReadonlyMap<number, Pick<KnownRun, 'segment'>>;
  readonly runSize: number;
  /** The first number of the run that a number is in. */
  firstOf(seq: number): number;
  pathOf(firstSeq: number): string;
  remove(firstSeq: number): void;
}

interface KnownRun {
  readonly segment: Segment;
  /** Changes when the file is replaced. */
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
    for (const firstSeq of known.keys()) if (!there.has(firstSeq)) known.delete(firstSeq);
  }

  /** Whether it is a run of this database; removes it where not. */
  function open(firstSeq: number, mark: string): boolean {
    known.delete(firstSeq);
    const segment = openOwn(pathOf(firstSeq), { firstSeq, runSize }, source, cache);
    if (segment === undefined) rmSync(pathOf(firstSeq), { force: true });
    else known.set(firstSeq, { segment, mark });
    return segment !== undefined;
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
      known.delete(firstSeq);
      rmSync(pathOf(firstSeq), { force: true });
    },
  };
}

/** `undefined` where it is damaged, or of another database. */
function openOwn(
  path: string,
  { firstSeq, runSize }: Pick<RunDescription, 'firstSeq' | 'runSize'>,
  source: Pick<RecordSource, 'read' | 'newestSeq'>,
  cache: BlockCache,
): Segment | undefined {
  try {
    const file = openRunFile(path, cache);
    const { description } = file;
    const isSame = description.firstSeq === firstSeq && description.runSize === runSize;
    return isSame && isOfDatabase(description, source) ? openSealedRun(file) : undefined;
  } catch (error) {
    // An error of the disk or the system is no fault of the file.
    if (error instanceof DamagedRun) return undefined;
    throw error;
  }
}

/** Whether its samples are records of this database. Some may have been removed since, but not all of them. */
function isOfDatabase(
  { samples }: RunDescription,
  source: Pick<RecordSource, 'read' | 'newestSeq'>,
): boolean {
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
