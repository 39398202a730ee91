/** Decides how a registry is asked for a domain's registration date, and what its reply says. */
import type { HttpDocument, HttpGet } from './http-get.ts';
import type { Registration } from './rdap-age-memory.ts';
import { SourceBusy } from './remote-source.ts';

const MIN_PAUSE_MS = 1_000;
const DEFAULT_PAUSE_MS = 30_000;
const MAX_PAUSE_MS = 3_600_000;

/**
 * Asks the server at `base` for a domain; `undefined` when it replied without an answer. @throws when the
 * server is out of order or does not reply; `SourceBusy` when it asks for a pause
 */
export async function fetchRegistration(
  http: HttpGet,
  base: string,
  domain: string,
  clock: () => number,
): Promise<Registration | undefined> {
  const url = `${base}domain/${encodeURIComponent(domain)}`;
  return readDocument(await http.get(url, 'application/rdap+json'), clock());
}

function readDocument({ status, text, retryAfter }: HttpDocument, now: number): Registration | undefined {
  if (status === 200) return { registeredAt: readRegistration(text, now) };
  if (status === 404) return { registeredAt: null };
  if (status === 429 || (status === 503 && retryAfter !== null))
    throw new SourceBusy(readPause(retryAfter, now));
  if (status >= 500) throw new Error(`status ${status}`);
  return undefined;
}

/** RFC 9110: seconds or a date. */
function readPause(retryAfter: string | null, now: number): number {
  const text = retryAfter?.trim() ?? '';
  const pause = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  if (Number.isNaN(pause)) return DEFAULT_PAUSE_MS;
  return Math.min(Math.max(pause, MIN_PAUSE_MS), MAX_PAUSE_MS);
}

const DAY_MS = 86_400_000;
/** The first .com was registered in 1985; older dates are placeholders. */
const EARLIEST_MS = Date.UTC(1985, 0, 1);
const DATE =
  /^(\d{4})-?(\d{2})-?(\d{2})(?:[Tt ](\d{2}:\d{2}:\d{2})(?:\.\d+)?\s*(?:([Zz])|([+-]\d{2}):?(\d{2}))?)?$/;

/** Milliseconds since the epoch, or `null` when the document has no plausible date. @throws when it is not an RDAP document */
export function readRegistration(text: string, now: number): number | null {
  const document: unknown = JSON.parse(text);
  if (!isRecord(document)) throw new Error('not an RDAP document');
  const events = Array.isArray(document.events) ? document.events : [];
  for (const event of events) {
    if (!isRecord(event) || !isRegistration(event.eventAction)) continue;
    const at = readDate(event.eventDate);
    if (at !== undefined && at >= EARLIEST_MS && at <= now + DAY_MS) return at;
  }
  return null;
}

function isRegistration(action: unknown): boolean {
  return typeof action === 'string' && action.toLowerCase() === 'registration';
}

/** RFC 3339, and what some registries write instead: no zone (read as UTC), a space for the T, only a date. */
function readDate(value: unknown): number | undefined {
  const match = typeof value === 'string' ? DATE.exec(value.trim()) : null;
  if (match === null) return undefined;
  const [, year, month, day, time = '00:00:00', , hours, minutes] = match;
  const zone = hours === undefined ? 'Z' : `${hours}:${minutes}`;
  const at = Date.parse(`${year}-${month}-${day}T${time}${zone}`);
  return Number.isNaN(at) ? undefined : at;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
