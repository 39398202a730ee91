import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { unpack } from './feed-unpack.ts';

const FIXTURES = resolve(import.meta.dirname, '../../test/fixtures/feeds');
const fixture = (name: string) => readFileSync(resolve(FIXTURES, name));
const TEXT = fixture('ranked.csv').toString('utf8');
const zip = fixture('ranked.zip');
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8');
/** A copy with bytes of the directory or the header changed. */
const changed = (change: (file: Buffer) => unknown) => {
  const copy = Buffer.from(zip);
  change(copy);
  return copy;
};
const directory = zip.indexOf('PK\u0001\u0002', 0, 'latin1');

describe('a fetched file', () => {
  it.each(['ranked.csv', 'ranked.csv.gz', 'ranked.zip', 'ranked-streamed.zip'])('%s is read', (name) => {
    expect(text(unpack(fixture(name)))).toBe(TEXT);
  });

  it('that is short or empty is not changed', () => {
    for (const bytes of [Buffer.alloc(0), Buffer.from('P'), Buffer.from('PK\n')])
      expect(unpack(bytes)).toBe(bytes);
  });

  it('may have a comment after the archive', () => {
    const comment = Buffer.from('a comment');
    const commented = changed((file) => file.writeUInt16LE(comment.length, file.length - 2));
    expect(text(unpack(Buffer.concat([commented, comment])))).toBe(TEXT);
  });

  it('that unpacks to more than the limit is refused, whatever size it claims', () => {
    const bomb = gzipSync(Buffer.alloc(5_000_000));
    expect(() => unpack(bomb, 1024 * 1024)).toThrow('unpacks to more than 1 MiB');
    expect(() => unpack(zip, 10)).toThrow('unpacks to more than 0 MiB');
    expect(() =>
      unpack(
        changed((file) => file.writeUInt32LE(3, directory + 24)),
        10,
      ),
    ).toThrow('unpacks to more');
  });

  it.each<[string, Uint8Array, string]>([
    ['cut off', zip.subarray(0, zip.length - 30), 'the archive is cut off'],
    ['cut off before its content', zip.subarray(0, 20), 'the archive is cut off'],
    [
      'of several files',
      changed((file) => file.writeUInt16LE(2, file.length - 12)),
      'must contain exactly one file',
    ],
    ['encrypted', changed((file) => file.writeUInt16LE(1, directory + 8)), 'is encrypted'],
    [
      'of another method',
      changed((file) => file.writeUInt16LE(12, directory + 10)),
      'method 12 is not known',
    ],
    ['of another size', changed((file) => file.writeUInt32LE(3, directory + 24)), 'is damaged'],
    [
      'whose directory leads elsewhere',
      changed((file) => file.writeUInt32LE(9e8, file.length - 6)),
      'no directory',
    ],
    ['whose file lies elsewhere', changed((file) => file.writeUInt32LE(9e8, directory + 42)), 'is cut off'],
    ['longer than the archive', changed((file) => file.writeUInt32LE(9e8, directory + 20)), 'is cut off'],
    ['that is no gzip', Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3, 4]), 'cannot be unpacked'],
  ])('an archive %s is refused', (_, bytes, why) => {
    expect(() => unpack(bytes)).toThrow(why);
  });
});
