/** Decides what the log says while the database fails: one line when that begins, one when it is over, whatever fails meanwhile. */
import type { Logger } from 'pino';
import { isStoreFailure, reasonOfFailure } from './store-failure.ts';

export interface OutageLog {
  /** Writes like the log it was made from, except for failures of the database: these are counted. */
  readonly log: Logger;
  /** The database fails, as something noticed. */
  begin(error: Error): void;
  /** Something was committed again. */
  end(): void;
}

interface About {
  readonly err?: unknown;
  readonly request_id?: unknown;
  readonly code?: unknown;
}

const METHODS = ['info', 'warn', 'error'] as const;

/** Time within which another failure is the same outage. */
const SETTLED_MS = 1_000;
/** Time after the end in which what began before may report its failure: the thread of the feeds waits 15 s for an answer. */
const AFTERWARDS_MS = 20_000;
/** Codes of requests that are refused because the database cannot store anything. */
const REFUSED: readonly unknown[] = ['unavailable', 'storage_full'];

/**
 * @param verify finds out whether the database works, and calls `end` if it does. @param now milliseconds, of a clock
 * that never steps
 */
export function createOutageLog(
  log: Logger,
  verify: () => void,
  now: () => number = () => performance.now(),
): OutageLog {
  let since: number | undefined;
  let endedAt = Number.NEGATIVE_INFINITY;
  let settling: NodeJS.Timeout | undefined;
  let requests = 0;
  let tasks = 0;

  function begin(error: Error): void {
    clearTimeout(settling);
    settling = undefined;
    if (since !== undefined) return;
    since = now();
    log.error(
      { reason: reasonOfFailure(error) },
      'the database fails: nothing is stored, nobody can sign in, and /readyz answers 503',
    );
  }

  function end(): void {
    if (since === undefined || settling !== undefined) return;
    endedAt = now();
    settling = setTimeout(report, SETTLED_MS).unref();
  }

  function report(): void {
    settling = undefined;
    if (since === undefined) return;
    const seconds = Math.round((endedAt - since) / 100) / 10;
    log.warn({ seconds, failed_requests: requests, failed_tasks: tasks }, 'the database works again');
    since = undefined;
    requests = 0;
    tasks = 0;
  }

  /** Whether a line is about the failure of the database, which is logged already. */
  function isPartOfIt({ err, request_id: id, code }: About): boolean {
    const isFailure = isStoreFailure(err);
    if (!isFailure && !(since !== undefined && id !== undefined && REFUSED.includes(code))) return false;
    if (since === undefined && now() - endedAt > AFTERWARDS_MS) {
      begin(err as Error);
      verify();
    }
    if (id === undefined) tasks += 1;
    else requests += 1;
    return true;
  }

  function quieten(plain: Logger): Logger {
    const quiet = Object.create(plain) as Logger;
    for (const method of METHODS) {
      const write = (plain[method] as (...line: unknown[]) => void).bind(plain);
      quiet[method] = ((...line: unknown[]) => {
        const [about] = line;
        if (typeof about === 'object' && about !== null && isPartOfIt(about)) return;
        write(...line);
      }) as Logger[(typeof METHODS)[number]];
    }
    const child = plain.child.bind(plain) as unknown as (...settings: unknown[]) => Logger;
    Object.assign(quiet, { child: (...settings: unknown[]) => quieten(child(...settings)) });
    return quiet;
  }

  return { log: quieten(log), begin, end };
}
