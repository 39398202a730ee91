/** Shares folders of files between nodes through PostgreSQL: one node at a time leads a folder and writes it, the others read. */
import { createHash } from 'node:crypto';
import { addFile, listFiles, partsOf, readPart, type SharedFile } from './files.ts';
import { createLeadership, type Leadership } from './leadership.ts';
import { openSession } from './session.ts';
import {
  addTask,
  answerAbandoned,
  CHANNEL,
  folderOfTask,
  NOTIFY,
  progressOf,
  withdrawTask,
} from './tasks.ts';

/** Everything but `onHint` and `close` @throws when the server cannot be reached. */
export interface SharedFolders {
  /**
   * Takes the lead of a folder; `undefined` while another has it.
   * @param abandoned answer to tasks that an earlier leader took and did not live to answer
   */
  lead(folder: string, abandoned: string): Promise<Leadership | undefined>;
  /** 0: nobody has written there yet. */
  revision(folder: string): Promise<number>;
  list(folder: string): Promise<{ readonly revision: number; readonly files: readonly SharedFile[] }>;
  /** `undefined` when it was replaced since it was listed. */
  read(folder: string, file: SharedFile): Promise<Buffer | undefined>;
  newestBeside(folder: string): Promise<string | undefined>;
  /** Leaves a task for whoever leads; returns its id. */
  ask(folder: string, text: string, files: ReadonlyMap<string, Uint8Array>, now: number): Promise<number>;
  progress(id: number): Promise<{ readonly taken: boolean; readonly answer: string | null } | undefined>;
  /** False when it was taken already. */
  withdraw(id: number): Promise<boolean>;
  onHint(listener: () => void): void;
  close(): Promise<void>;
}

/** Keeps this folder's lock apart from those of others. */
const LOCK = 'SELECT pg_try_advisory_lock(hashtextextended($1, 7126004)) AS taken';
const REVISION = 'SELECT coalesce(max(revision), 0) AS revision FROM shared_folders WHERE folder = $1';
const NEWEST = 'SELECT folder FROM shared_folders WHERE folder <> $1 ORDER BY changed_at DESC LIMIT 1';

/** Opens its one connection at the first call. */
export function openSharedFolders({ url }: { readonly url: string }): SharedFolders {
  let hint = () => {};
  const session = openSession({ url, channel: CHANNEL, onNotify: () => hint() });
  /** One connection can take a lock more than once, and would have to let go of it as often. */
  let leading: Leadership | undefined;

  const revisionOf = async (folder: string) =>
    session.use(async (client) => {
      const { rows } = await client.query<{ revision: number }>(REVISION, [folder]);
      return (rows[0] as { revision: number }).revision;
    });

  return {
    lead: (folder, abandoned) =>
      session.use(async (client) => {
        if (leading?.isHeld()) return undefined;
        const { rows } = await client.query<{ taken: boolean }>(LOCK, [folder]);
        if (rows[0]?.taken !== true) return undefined;
        await answerAbandoned(client, folder, abandoned);
        leading = createLeadership({ session, holder: client, folder });
        return leading;
      }),
    revision: revisionOf,
    list: (folder) =>
      session.transaction(async (client) => {
        await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
        const { rows } = await client.query<{ revision: number }>(REVISION, [folder]);
        const { revision } = rows[0] as { revision: number };
        return { revision, files: await listFiles(client, folder) };
      }),
    async read(folder, file) {
      const parts: Buffer[] = [];
      for (let part = 0; part < partsOf(file); part += 1) {
        const bytes = await session.use((client) => readPart(client, folder, file, part));
        if (bytes === undefined) return undefined;
        parts.push(bytes);
      }
      return Buffer.concat(parts);
    },
    newestBeside: (folder) =>
      session.use(
        async (client) => (await client.query<{ folder: string }>(NEWEST, [folder])).rows[0]?.folder,
      ),
    ask: (folder, text, files, now) =>
      session.transaction(async (client) => {
        const id = await addTask(client, folder, text, now);
        for (const [name, bytes] of files) {
          const hash = createHash('sha256').update(bytes).digest('hex');
          await addFile(client, folderOfTask(id), { name, hash, size: bytes.byteLength }, bytes);
        }
        await client.query(NOTIFY);
        return id;
      }),
    progress: (id) => session.use((client) => progressOf(client, id)),
    withdraw: (id) => session.transaction((client) => withdrawTask(client, id)),
    onHint(listener) {
      hint = listener;
    },
    close: session.close,
  };
}
