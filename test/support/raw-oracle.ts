/** Derives from the documented decisions which answers a body may get, without the service's code. */
import { isIP } from 'node:net';

/** Answers as `summarize` writes them: `200` or `status code param`. */
export type Allowed = readonly string[];

const NO_OBJECT: Allowed = ['400 missing_field email'];
/** There is no member to blame. */
export const NO_JSON = '400 missing_field';
const BROUGHT_BY: readonly unknown[] = ['admin', 'member', 'directory', null];
const OUTCOMES = ['false_positive', 'false_negative'];

/** Answers that POST /v1/assess may give to these bytes. */
export function assessMayAnswer(bytes: Uint8Array): Allowed {
  const body = readObject(bytes);
  if (body === null) return [NO_JSON];
  if (body === undefined) return NO_OBJECT;
  const { email, ip, session_id: session, brought_by: by } = body;
  const certain = [...emailFaults(email), ...ipFaults(ip)];
  if (session !== undefined && session !== null && typeof session !== 'string') {
    certain.push('400 missing_field session_id');
  }
  if (by !== undefined && !BROUGHT_BY.includes(by)) certain.push('400 missing_field brought_by');
  const doubtful = typeof email === 'string' && isDoubtful(email) ? ['400 invalid_email email'] : [];
  return certain.length > 0 ? [...certain, ...doubtful] : ['200', ...doubtful];
}

/** Answers that POST /v1/feedback may give to these bytes. */
export function feedbackMayAnswer(bytes: Uint8Array, knownIds: ReadonlySet<string>): Allowed {
  const body = readObject(bytes);
  if (body === null) return [NO_JSON];
  if (body === undefined) return ['400 missing_field request_id'];
  const faults: string[] = [];
  if (!knownIds.has(body.request_id as string)) faults.push('400 missing_field request_id');
  if (!OUTCOMES.includes(body.outcome as string)) faults.push('400 missing_field outcome');
  if (body.note !== undefined && body.note !== null && typeof body.note !== 'string') {
    faults.push('400 missing_field note');
  }
  return faults.length > 0 ? faults : ['200'];
}

/** A JSON object in strict UTF-8, with its own members only; `undefined` for other JSON, `null` for what is none. */
function readObject(bytes: Uint8Array): Record<string, unknown> | undefined | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return Object.assign(Object.create(null), Object.fromEntries(Object.entries(value)));
  } catch {
    return null;
  }
}

const LOCAL = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const HOST = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;
// In a host, UTS 46 ignores U+FEFF, which JavaScript treats as a space.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for control characters
const NEVER = /[^\S\ufeff]|["(),:;<>[\]\\\u0000-\u001f\u007f]/;

/** Dots of other scripts count as dots (UTS 46). */
const DOT = /[.。．｡]/;

type Format = 'good' | 'bad' | 'doubtful';

/** `doubtful`: the decisions leave it to the implementation, such as two dots in a row. */
function formatOf(text: string): Format {
  const address = text.trim().toLowerCase();
  const parts = address.split('@');
  const [local = '', host = ''] = parts;
  if (parts.length !== 2 || local === '' || Buffer.byteLength(address) > 254) return 'bad';
  if (NEVER.test(address) || !DOT.test(host) || /\.(?:[a-z]|\d+)$/.test(host)) return 'bad';
  return LOCAL.test(local) && HOST.test(host) && !host.includes('xn--') ? 'good' : 'doubtful';
}

function emailFaults(email: unknown): string[] {
  if (email === undefined || email === null) return ['400 missing_field email'];
  if (typeof email !== 'string') return ['400 invalid_email email'];
  if (email.trim() === '') return ['400 missing_field email'];
  return formatOf(email) === 'bad' ? ['400 invalid_email email'] : [];
}

function isDoubtful(email: string): boolean {
  return email.trim() !== '' && formatOf(email) === 'doubtful';
}

function ipFaults(ip: unknown): string[] {
  if (ip === undefined || ip === null) return [];
  const text = typeof ip === 'string' ? ip.trim() : '?';
  const fits = text === '' || /^localhost\.?$/i.test(text) || (isIP(text) !== 0 && !text.includes('%'));
  return fits ? [] : ['400 invalid_ip ip'];
}
