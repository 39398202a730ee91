/** Reads a file by parts, and opens it for each: there is a run for each 65,536 signups, and a process may not keep as many files open. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

export interface FileReader {
  /** Length of the file. */
  readonly bytes: number;
  /** Fills `into` from a place of the file; whether the file has so much. @throws the system's error, or where it is another file by now */
  fill(into: Uint8Array, at: number): boolean;
}

/** @throws the system's error */
export function createFileReader(path: string): FileReader {
  const { size, mark } = whileOpen(path, statusOf);
  return {
    bytes: size,
    fill: (into, at) =>
      whileOpen(path, (descriptor) => {
        if (statusOf(descriptor).mark !== mark)
          throw new Error('a run of the history was replaced while it was read');
        return readSync(descriptor, into, 0, into.length, at) === into.length;
      }),
  };
}

function whileOpen<T>(path: string, read: (descriptor: number) => T): T {
  const descriptor = openSync(path, 'r');
  try {
    return read(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function statusOf(descriptor: number): { size: number; mark: string } {
  const { ino, size, mtimeMs } = fstatSync(descriptor);
  return { size, mark: `${ino} ${size} ${mtimeMs}` };
}
