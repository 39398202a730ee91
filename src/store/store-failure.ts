/** Knows the errors that say that the database itself fails, not the request: it is away, locked, full, or does not answer. */

/** Errors that an adapter of the store recognised. */
const failures = new WeakSet<object>();

/** Marks an error as a failure of the database. Returns it. */
export function asStoreFailure<E extends Error>(error: E): E {
  failures.add(error);
  return error;
}

/** Whether the database itself failed: the error is marked, or one that caused it is. */
export function isStoreFailure(error: unknown): boolean {
  return failureIn(error) !== undefined;
}

function failureIn(error: unknown): Error | undefined {
  for (let each = error; each instanceof Error; each = each.cause) if (failures.has(each)) return each;
  return undefined;
}

const DISK_FULL = 'its disk is full: free space there';

/** Reasons by the code of the system, of SQLite or of PostgreSQL, or by the message of a driver; the first row that fits counts. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/\bECONNREFUSED\b/, 'nothing listens at its address: it is stopped, or not started yet'],
  [/\bENOENT\b/, 'its socket is gone: it is stopped, or not started yet'],
  [/\b(?:ENOTFOUND|EAI_AGAIN)\b/, 'its host name cannot be resolved'],
  [/\b(?:EHOSTUNREACH|ENETUNREACH)\b/, 'its host cannot be reached'],
  [/\b57P03\b|is starting up|is shutting down/, 'it is starting or stopping'],
  [/\b57P0[12]\b|terminating connection/, 'it closed the connections: it is stopped or restarts'],
  [/\b(?:53300|53200)\b|too many (?:clients|connections)/, 'it has no free connections or memory'],
  [/\b(?:53100|SQLITE_FULL|ENOSPC|storage_full)\b|disk is full/, DISK_FULL],
  [/\b(?:25006|SQLITE_READONLY\w*|EROFS)\b|readonly database/, 'it is read-only'],
  [/\bSQLITE_(?:BUSY|LOCKED)\w*|database is locked/, 'another program has locked it'],
  [/\b(?:SQLITE_IOERR\w*|58030|EIO)\b|disk I\/O error/, 'its disk fails'],
  [/\b28P01\b|password authentication failed/, 'it refuses the user or the password'],
  [
    /\b(?:57014|55P03|ETIMEDOUT)\b|in time|tim(?:ed out|eout)|too late/i,
    'it does not answer in time: it hangs, is overloaded, or something has locked it',
  ],
  [
    /\b(?:ECONNRESET|EPIPE|08\w{3})\b|Connection (?:terminated|ended)|connection error|not queryable/i,
    'the connections to it were lost',
  ],
];

/** Reason why the database fails, in plain words; what the error says where no row fits. */
export function reasonOfFailure(error: unknown): string {
  const texts: string[] = [];
  for (let each = failureIn(error) ?? error; each instanceof Error; each = each.cause) {
    const inner = each instanceof AggregateError ? (each.errors as Error[]) : [];
    for (const { code, message } of [each, ...inner] as (Error & { code?: unknown })[])
      texts.push(`${typeof code === 'string' ? code : ''} ${message}`);
  }
  const found = REASONS.find(([pattern]) => texts.some((text) => pattern.test(text)));
  return found?.[1] ?? texts[0]?.trim() ?? String(error);
}

/** Whether the database fails because its disk has no space. */
export function isDiskFull(error: unknown): boolean {
  return isStoreFailure(error) && reasonOfFailure(error) === DISK_FULL;
}
