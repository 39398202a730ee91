/** Decides what only the leader of a folder does: everything on the connection that holds its lock, so nobody else ever does it. */
import type pg from 'pg';
import { addFile, removeFiles, type SharedFile } from './files.ts';
import { type Session, SILENCE_MS } from './session.ts';
import { answerTask, NOTIFY, type SharedTask, takeTask } from './tasks.ts';

export interface ChangedFile extends SharedFile {
  read(): Promise<Uint8Array>;
}

/** Everything but `isHeld` @throws once it is lost. */
export interface Leadership {
  isHeld(): boolean;
  /** Changes the folder, everything at once; returns its new revision. */
  write(changed: readonly ChangedFile[], removed: readonly string[], now: number): Promise<number>;
  /** The oldest task that nobody took yet: it is taken with this. */
  nextTask(): Promise<SharedTask | undefined>;
  answer(id: number, text: string): Promise<void>;
  /** Forgets other folders, and tasks, that are older. */
  forgetBefore(time: number): Promise<void>;
  /** While this runs, silence is forgiven for two minutes. */
  patiently<T>(work: () => Promise<T>): Promise<T>;
  release(): Promise<void>;
}

export interface LeadershipOptions {
  readonly session: Session;
  /** The connection that took the lock. */
  readonly holder: pg.Client;
  readonly folder: string;
}

/** Tells the server that the holder lives, well within the silence after which it is ended. */
const BEAT_MS = 3_000;
const PATIENCE_MS = 120_000;

const GROW = `INSERT INTO shared_folders (folder, revision, changed_at) VALUES ($1, 1, $2)
  ON CONFLICT (folder) DO UPDATE SET revision = shared_folders.revision + 1, changed_at = $2
  RETURNING revision`;
const FORGET_FOLDERS = [
  `DELETE FROM shared_files USING shared_folders AS old
    WHERE shared_files.folder = old.folder AND old.changed_at < $1 AND old.folder <> $2`,
  'DELETE FROM shared_folders WHERE changed_at < $1 AND folder <> $2',
];
const FORGET_TASKS = [
  `DELETE FROM shared_files USING shared_tasks AS old
    WHERE shared_files.folder = 'task:' || old.id AND old.asked_at < $1`,
  'DELETE FROM shared_tasks WHERE asked_at < $1',
];

export function createLeadership({ session, holder, folder }: LeadershipOptions): Leadership {
  let released = false;
  let patient = 0;
  const isHeld = () => !released && session.isCurrent(holder);
  const beating = setInterval(() => {
    if (isHeld()) held((client) => client.query('SELECT 1')).catch(() => {});
    else clearInterval(beating);
  }, BEAT_MS);

  /** Another connection than the one that took the lock has no lock. */
  function check(client: pg.Client): void {
    if (released || client !== holder) throw new Error('this node leads no more');
  }
  const held = <T>(work: (client: pg.Client) => Promise<T>) =>
    session.use((client) => {
      check(client);
      return work(client);
    });
  const atOnce = <T>(work: (client: pg.Client) => Promise<T>) =>
    session.transaction((client) => {
      check(client);
      return work(client);
    });
  const forgive = (milliseconds: number) =>
    held((client) => client.query(`SET idle_session_timeout = ${milliseconds}`));

  return {
    isHeld,
    write: (changed, removed, now) =>
      atOnce(async (client) => {
        await removeFiles(client, folder, [...removed, ...changed.map(({ name }) => name)]);
        for (const file of changed) await addFile(client, folder, file, await file.read());
        const { rows } = await client.query<{ revision: number }>(GROW, [folder, now]);
        await client.query(NOTIFY);
        return (rows[0] as { revision: number }).revision;
      }),
    nextTask: () => held((client) => takeTask(client, folder)),
    answer: (id, text) => atOnce((client) => answerTask(client, id, text)),
    forgetBefore: (time) =>
      atOnce(async (client) => {
        for (const statement of FORGET_FOLDERS) await client.query(statement, [time, folder]);
        for (const statement of FORGET_TASKS) await client.query(statement, [time]);
      }),
    async patiently(work) {
      patient += 1;
      await forgive(PATIENCE_MS);
      try {
        return await work();
      } finally {
        patient -= 1;
        if (patient === 0 && isHeld()) await forgive(SILENCE_MS).catch(() => {});
      }
    },
    async release() {
      clearInterval(beating);
      if (!isHeld()) return;
      await held((client) => client.query('SELECT pg_advisory_unlock_all()'));
      released = true;
    },
  };
}
