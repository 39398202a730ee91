/** Checks in a trace of system calls that each answer was sent after its data were synced to disk. */
import { find, install } from '../../scripts/system-package.mjs';

/** The tracer, which runs a command and writes its calls to a file, one a line, in the order in which they end; or what to install. */
export function findTracer(): { program: string } | { reason: string } {
  if (process.platform !== 'linux')
    return { reason: 'a trace of system calls: strace is used on Linux only' };
  const failure = find(['strace']) === undefined ? install('strace') : undefined;
  const program = find(['strace']);
  return program === undefined
    ? { reason: `a trace of system calls: install strace (${failure})` }
    : { program };
}

/** Also traces threads and paths. The started process becomes the command itself. */
export function traced(program: string, file: string): string[] {
  const calls = 'read,recvfrom,write,writev,sendto,sendmsg,pwrite64,pwritev,fsync,fdatasync';
  return [program, '-D', '-f', '-y', '-s', '400', '-o', file, '-e', `trace=${calls}`];
}

export interface TracedAnswer {
  /** The database log was written and then synced between the request and the answer. */
  readonly isSynced: boolean;
}

const UNFINISHED = /^(\d+) +(\w+)\((.*) <unfinished \.\.\.>$/;
const RESUMED = /^(\d+) +<\.\.\. \w+ resumed>(.*)$/;
const WHOLE = /^(\d+) +(\w+)\((.*)$/;

function isAnswer(name: string, text: string): boolean {
  return /^(?:write|send)/.test(name) && text.includes('HTTP/1.1 200 OK');
}

/** Answers of `POST /v1/assess` with status 200, to sequential requests. */
export function readAnswers(trace: string): TracedAnswer[] {
  const answers: TracedAnswer[] = [];
  const begun = new Map<string, { name: string; text: string }>();
  let [written, synced] = [false, false];

  function ended(name: string, text: string): void {
    const ofLog = /^\d+<[^>]*-wal>/.test(text);
    if (text.includes('POST /v1/assess HTTP')) [written, synced] = [false, false];
    else if (ofLog && name.startsWith('pwrite')) written = true;
    else if (ofLog && /^f(?:data)?sync$/.test(name) && text.endsWith('= 0')) synced = written;
  }

  for (const line of trace.split('\n')) {
    const unfinished = UNFINISHED.exec(line);
    const resumed = unfinished === null ? RESUMED.exec(line) : null;
    const whole = unfinished === null && resumed === null ? WHOLE.exec(line) : null;
    const [, thread = '', name = '', text = ''] = unfinished ?? whole ?? [];
    // An answer counts from the start of its call, everything else from the end of its call.
    if (isAnswer(name, text)) answers.push({ isSynced: synced });
    if (unfinished !== null) begun.set(thread, { name, text });
    else if (whole !== null) ended(name, text);
    else if (resumed !== null) {
      const [, of = '', rest = ''] = resumed;
      const start = begun.get(of);
      if (start !== undefined) ended(start.name, `${start.text}${rest}`);
    }
  }
  return answers;
}
