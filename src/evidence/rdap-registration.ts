/** Decides when a domain was registered, from a registry's RDAP document. */

const DAY_MS = 86_400_000;
/** The first .com was registered in 1985; older dates are placeholders. */
const EARLIEST_MS = Date.UTC(1985, 0, 1);
const DATE =
  /^(\d{4})-?(\d{2})-?(\d{2})(?:[Tt ](\d{2}:\d{2}:\d{2})(?:\.\d+)?\s*(?:([Zz])|([+-]\d{2}):?(\d{2}))?)?$/;

/** Milliseconds since the epoch, or `null` when the document names no believable date. Throws for no RDAP document. */
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

/** RFC 3339, and what registries write instead: no zone (taken for UTC), a space for the T, a bare date. */
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
