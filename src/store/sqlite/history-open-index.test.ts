/** What makes the index of the log not worth keeping: only what the file itself is to blame for. */
import { describe, expect, it } from 'vitest';
import { isIndexAtFault } from './history-open-index.ts';

describe('an index of the log that cannot be opened', () => {
  it.each([
    ...[
      'SQLITE_IOERR',
      'SQLITE_IOERR_READ',
      'SQLITE_BUSY',
      'SQLITE_BUSY_RECOVERY',
      'SQLITE_READONLY_DBMOVED',
    ],
    ...['SQLITE_FULL', 'SQLITE_CANTOPEN_ISDIR', 'SQLITE_PROTOCOL', 'SQLITE_NOMEM', 'EACCES', 'EMFILE', 'EIO'],
  ])('stays at %s', (code) => {
    expect(isIndexAtFault(Object.assign(new Error(), { code }))).toBe(false);
  });

  it.each(['SQLITE_CORRUPT', 'SQLITE_CORRUPT_INDEX', 'SQLITE_NOTADB', 'SQLITE_ERROR', undefined])(
    'is made anew at %s',
    (code) => {
      expect(isIndexAtFault(Object.assign(new Error(), { code }))).toBe(true);
    },
  );
});
