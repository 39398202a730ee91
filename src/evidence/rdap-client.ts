/** Decides how a registry is asked for a domain's registration date, and what its reply counts for. */
import type { HttpDocument, HttpGet } from './http-get.ts';
import type { Registration } from './rdap-age-memory.ts';
import { readRegistration } from './rdap-registration.ts';
import { SourceBusy } from './remote-source.ts';

export interface RdapClientOptions {
  readonly http: HttpGet;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

export interface RdapClient {
  /**
   * Asks the server at `base` for a domain; `undefined` when it replied without an answer. @throws when the reply shows
   * that the server is out of order, or none comes; `SourceBusy` when it asks for a pause
   */
  fetchRegistration(base: string, domain: string): Promise<Registration | undefined>;
}

const MIN_PAUSE_MS = 1_000;
const DEFAULT_PAUSE_MS = 30_000;
const MAX_PAUSE_MS = 3_600_000;

export function createRdapClient({ http, clock }: RdapClientOptions): RdapClient {
  return {
    async fetchRegistration(base, domain) {
      const url = `${base}domain/${encodeURIComponent(domain)}`;
      return readDocument(await http.get(url, 'application/rdap+json'), clock());
    },
  };
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
