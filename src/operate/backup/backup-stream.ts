/** Streams a backup: it is written beside the database and checked first, so that what a reader gets is whole unless the stream breaks. */
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readdirSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { type BackupOptions, backUpInstallation, type WrittenBackup, withoutOtherBackup } from './backup.ts';

/** File in the data folder: other places of a container may not be writable, or on a small disk. */
const SPOOL = /^backup-[0-9a-f]{8}\.stream(?:\.partial)?$/;
const CHUNK_BYTES = 2 ** 20;

/** @throws in one line; then the reader has not got the end of the backup, without which no restore takes it */
export async function streamBackup(
  options: Omit<BackupOptions, 'file'>,
  output: Writable,
): Promise<WrittenBackup> {
  const { dataDir } = options.config;
  await removeLeft(dataDir);
  const file = join(dataDir, `backup-${randomBytes(4).toString('hex')}.stream`);
  try {
    const written = await backUpInstallation({ ...options, file });
    await send(file, output);
    return written;
  } finally {
    rmSync(file, { force: true });
  }
}

/** Removes what interrupted streams left. One that is being sent is open already, and needs its name no more. */
async function removeLeft(dataDir: string): Promise<void> {
  await withoutOtherBackup(dataDir, () => {
    for (const name of readdirSync(dataDir))
      if (SPOOL.test(name)) rmSync(join(dataDir, name), { force: true });
  });
}

async function send(file: string, output: Writable): Promise<void> {
  const handle = openSync(file, 'r');
  try {
    for (;;) {
      const chunk = Buffer.alloc(CHUNK_BYTES);
      const bytes = readSync(handle, chunk);
      if (bytes === 0) return;
      await write(output, chunk.subarray(0, bytes));
    }
  } finally {
    closeSync(handle);
  }
}

/** Resolves once the reader has it. */
function write(output: Writable, chunk: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(chunk, (error) => {
      if (!error) return resolve();
      const { code, message } = error as NodeJS.ErrnoException;
      const why = code === 'EPIPE' ? 'its reader ended before the end of the backup' : message;
      reject(
        new Error(
          `the backup could not be written to the standard output: ${why}; what was sent is no whole backup`,
        ),
      );
    });
  });
}
