/** Moves an installation: the log batch by batch, then everything else as of one moment; then both sides are compared. */
import { setImmediate } from 'node:timers/promises';
import { findPlace } from './migrate-checkpoint.ts';
import { digestLog, digestTarget, type Expected } from './migrate-compare.ts';
import type {
  Column,
  LogColumns,
  MigrationRow,
  MoveState,
  StateRows,
  TransferSource,
  TransferTarget,
} from './migrate-ports.ts';
import { createRowDigest, type RowDigest, type TableDigest } from './migrate-row-digest.ts';
import { LOG_TABLES, STATE_TABLES } from './migrate-tables.ts';

export interface MoveOptions {
  readonly source: TransferSource;
  readonly target: TransferTarget;
  /** What addresses are hashed with; `undefined` where none has been made yet. */
  readonly secret: Buffer | undefined;
  /** Whether the target keeps it; otherwise everybody who uses the target is given it. */
  readonly secretMoves: boolean;
  readonly onProgress: (progress: MoveProgress) => void;
}

export interface MoveProgress {
  readonly stage: 'copied' | 'read' | 'compared';
  readonly table: string;
  /** Rows. */
  readonly done: number;
  readonly total: number;
}

export interface Moved {
  /** Assessments that this run brought over; the others were there. */
  readonly added: number;
  readonly tables: readonly (TableDigest & { readonly table: string })[];
  /** Whether the installation was used while this ran: then something of it is still to be moved. */
  readonly changedMeanwhile: boolean;
}

type Columns = ReadonlyMap<string, readonly Column[]>;

/** Of the log at a time; some megabytes. */
const BATCH_ROWS = 2_000;

/** @throws when the target is not fit for it, and nothing was changed; or when it does not hold the same afterwards */
export async function move(options: MoveOptions): Promise<Moved> {
  const { source, target, secret, secretMoves, onProgress } = options;
  const before = await findPlace(source, target);
  if (secret !== undefined) await target.keepSecret(secret, secretMoves);
  const columns = await readColumns(source, target);
  const log = Object.fromEntries(LOG_TABLES.map((table) => [table, columnsOf(columns, table)])) as LogColumns;
  const most = await moveLog(options, log, before);
  // What came since is little, so that no moment is held for long.
  const { mark, checkpoint, state } = await source.snapshot(async () => {
    const mark = source.changeMark();
    const { checkpoint } = await moveLog(options, log, most);
    return { mark, checkpoint, state: await moveState(options, columns, checkpoint) };
  });
  await target.settle();
  const told = (stage: 'read' | 'compared', table: string, total: number) => (done: number) =>
    onProgress({ stage, table, done, total });
  const expected = [
    ...(await digestLog(source, log, checkpoint, told('read', 'assessments', checkpoint.seq))),
    ...state,
  ];
  const wrong: string[] = [];
  for (const { table, columns, rows, hash } of expected) {
    const found = await digestTarget(target, table, columns, told('compared', table, rows));
    if (found.rows !== rows) wrong.push(`${table} (${found.rows} rows instead of ${rows})`);
    else if (found.hash !== hash) wrong.push(`${table} (other content)`);
  }
  if (wrong.length > 0)
    throw new Error(`the database does not hold what this installation holds: ${wrong.join(', ')}`);
  return {
    added: checkpoint.seq - before.checkpoint.seq,
    tables: expected.map(({ table, rows, hash }) => ({ table, rows, hash })),
    changedMeanwhile: source.changeMark() !== mark,
  };
}

/** Those that both sides have: what only the target has, it fills by itself. */
async function readColumns(source: TransferSource, target: TransferTarget): Promise<Columns> {
  const found = new Map<string, readonly Column[]>();
  for (const table of [...LOG_TABLES, ...STATE_TABLES.map(({ name }) => name)]) {
    const known = source.columns(table);
    found.set(
      table,
      (await target.columns(table)).filter(({ name }) => known.has(name)),
    );
  }
  return found;
}

function columnsOf(columns: Columns, table: string): readonly Column[] {
  return columns.get(table) as readonly Column[];
}

/** Reads on while the batch before is being written. Gives how far it came. */
async function moveLog(
  { source, target, onProgress }: MoveOptions,
  columns: LogColumns,
  from: MoveState,
): Promise<MoveState> {
  let state = from;
  let writing = Promise.resolve();
  for (;;) {
    const total = source.fingerprint().seq;
    const page = source.logAfter(columns, state.checkpoint.seq, total, BATCH_ROWS);
    await writing;
    if (page === undefined) return state;
    state = { checkpoint: page.last, sourceFingerprint: { ...state.sourceFingerprint, seq: page.last.seq } };
    writing = target.append(columns, page, state);
    // What goes wrong is heard when it is waited for.
    writing.catch(() => {});
    // The batch is on its way before the next one is read.
    await setImmediate();
    onProgress({ stage: 'copied', table: 'assessments', done: state.checkpoint.seq, total });
  }
}

/** Within a snapshot of the source. Gives what was read there of each table. */
async function moveState(
  { source, target, onProgress }: MoveOptions,
  columns: Columns,
  place: MoveState['checkpoint'],
): Promise<Expected[]> {
  const read: Expected[] = [];
  function* tables(): Generator<StateRows> {
    for (const table of STATE_TABLES) {
      const [name, its, digest] = [table.name, columnsOf(columns, table.name), createRowDigest()];
      const total = source.count(name);
      const pages = noted(source.state(table, its), digest, (done) =>
        onProgress({ stage: 'copied', table: name, done, total }),
      );
      yield { table, columns: its, pages };
      read.push({ table: name, columns: its, ...digest.end() });
    }
  }
  await target.replace(tables(), {
    checkpoint: place,
    sourceFingerprint: { ...source.fingerprint(), seq: place.seq },
  });
  return read;
}

function* noted(pages: Iterable<readonly MigrationRow[]>, digest: RowDigest, tell: (done: number) => void) {
  let done = 0;
  for (const page of pages) {
    digest.add(page);
    done += page.length;
    yield page;
    tell(done);
  }
}
