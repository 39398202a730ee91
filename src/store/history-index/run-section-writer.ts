/** Writes a run's file section by section, with a checksum for each block, and syncs it. */
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { BLOCK_BYTES, encodeEnd, paddedBytes, type RunDescription } from './run-format.ts';
import type { NumberArray } from './run-segment.ts';

export interface SectionWriter {
  /** Adds to a section; all of one before the next. */
  add(section: string, numbers: NumberArray): void;
  /** Writes what the file is, and syncs it. */
  end(description: Omit<RunDescription, 'sections'>): void;
  close(): void;
}

export function createSectionWriter(path: string): SectionWriter {
  const descriptor = openSync(path, 'wx', 0o600);
  const sections: [name: string, bytes: number][] = [];
  const checksums: number[] = [];
  /** Bytes that wait, less than a block. */
  let pending = Buffer.alloc(0);

  function write(data: Buffer): void {
    const all = Buffer.concat([pending, data]);
    const whole = all.length - (all.length % BLOCK_BYTES);
    for (let at = 0; at < whole; at += BLOCK_BYTES) checksums.push(crc32(all.subarray(at, at + BLOCK_BYTES)));
    writeAll(all.subarray(0, whole));
    pending = all.subarray(whole);
  }

  function writeAll(data: Buffer): void {
    for (let done = 0; done < data.length; ) done += writeSync(descriptor, data, done);
  }

  function pad(): void {
    const bytes = sections.at(-1)?.[1] ?? 0;
    write(Buffer.alloc(paddedBytes(bytes) - bytes));
  }

  return {
    add(name, numbers) {
      if (sections.at(-1)?.[0] !== name) {
        pad();
        sections.push([name, 0]);
      }
      (sections.at(-1) as [string, number])[1] += numbers.byteLength;
      write(Buffer.from(numbers.buffer as ArrayBuffer, numbers.byteOffset, numbers.byteLength));
    },
    end(description) {
      pad();
      if (pending.length > 0) checksums.push(crc32(pending));
      writeAll(Buffer.concat([pending, encodeEnd(checksums, { ...description, sections })]));
      fsyncSync(descriptor);
    },
    close: () => closeSync(descriptor),
  };
}
