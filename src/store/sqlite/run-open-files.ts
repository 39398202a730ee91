/** Keeps few files of runs open at once: there is one for each 65,536 signups, and a process may not open as many. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** A file that is opened when it is read. */
export interface ReadableFile {
  /** How many bytes it has. */
  readonly bytes: number;
  /** Fills `into` from a place of the file; whether the file has so much. @throws the system's error, or where it is another file by now */
  fill(into: Uint8Array, at: number): boolean;
  close(): void;
}

export interface OpenFiles {
  /** @throws the system's error */
  open(path: string): ReadableFile;
}

const MAX_OPEN = 16;

export function createOpenFiles(maxOpen = MAX_OPEN): OpenFiles {
  /** Descriptors by their file, the latest used ones last. */
  const descriptors = new Map<object, number>();

  function close(file: object): void {
    const descriptor = descriptors.get(file);
    descriptors.delete(file);
    if (descriptor !== undefined) closeSync(descriptor);
  }

  function use(file: object, open: () => number): number {
    const descriptor = descriptors.get(file) ?? open();
    descriptors.delete(file);
    for (const oldest of descriptors.keys()) {
      if (descriptors.size < maxOpen) break;
      close(oldest);
    }
    descriptors.set(file, descriptor);
    return descriptor;
  }

  return {
    open(path) {
      const file = {};
      const { size, mark } = statusOf(use(file, () => openSync(path, 'r')));
      return {
        bytes: size,
        fill: (into, at) =>
          readSync(
            use(file, () => openSame(path, mark)),
            into,
            0,
            into.length,
            at,
          ) === into.length,
        close: () => close(file),
      };
    },
  };
}

/** @throws where another file has taken its place */
function openSame(path: string, mark: string): number {
  const descriptor = openSync(path, 'r');
  if (statusOf(descriptor).mark === mark) return descriptor;
  closeSync(descriptor);
  throw new Error('a run of the history was replaced while it was read');
}

function statusOf(descriptor: number): { size: number; mark: string } {
  const { ino, size, mtimeMs } = fstatSync(descriptor);
  return { size, mark: `${ino} ${size} ${mtimeMs}` };
}
