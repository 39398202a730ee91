/** Decides how a registry is asked for a domain's registration date, and what its reply counts for. */
import type { HttpDocument, HttpGet } from './rdap/http-get.ts';
import { readRegistration } from './rdap/registration.ts';
import { type Availability, RegistryHost } from './rdap/registry-host.ts';

export interface RdapClientOptions {
  readonly http: HttpGet;
  /** An answer that takes longer counts as late for its host. */
  readonly deadlineMs: number;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

export interface RdapQuestion {
  readonly standing: Exclude<Availability, 'refused'>;
  /**
   * Milliseconds since the epoch; `null` when the registry does not list the domain or gives no believable date;
   * `undefined` when it gave no answer. Never rejects.
   */
  readonly registeredAt: Promise<number | null | undefined>;
  /** To be called when somebody stopped waiting for the answer. */
  missed(): void;
}

export interface RdapClient {
  /** Asks the server at `base` for a domain; `undefined` when the server is not to be asked now. */
  ask(base: string, domain: string): RdapQuestion | undefined;
}

const MIN_PAUSE_MS = 1_000;
const DEFAULT_PAUSE_MS = 30_000;
const MAX_PAUSE_MS = 3_600_000;

export function createRdapClient({ http, deadlineMs, clock }: RdapClientOptions): RdapClient {
  const hosts = new Map<string, RegistryHost>();

  function hostOf(base: string): RegistryHost {
    const name = new URL(base).host;
    const host = hosts.get(name) ?? new RegistryHost(clock);
    hosts.set(name, host);
    return host;
  }

  async function fetchDate(host: RegistryHost, url: string): Promise<number | null | undefined> {
    const start = clock();
    try {
      const document = await http.get(url, 'application/rdap+json');
      const registeredAt = readDocument(host, document, clock());
      if (clock() - start <= deadlineMs) host.answeredInTime();
      return registeredAt;
    } catch {
      host.failed();
      return undefined;
    }
  }

  return {
    ask(base, domain) {
      const host = hostOf(base);
      const standing = host.availability();
      if (standing === 'refused') return undefined;
      const url = `${base}domain/${encodeURIComponent(domain)}`;
      return {
        standing,
        registeredAt: host.run(standing, () => fetchDate(host, url)),
        missed: () => host.keptWaiting(),
      };
    },
  };
}

/** Throws when the reply shows that the server is out of order. */
function readDocument(host: RegistryHost, document: HttpDocument, now: number): number | null | undefined {
  const { status, text, retryAfter } = document;
  const registeredAt = status === 200 ? readRegistration(text, now) : undefined;
  const busy = status === 429 || (status === 503 && retryAfter !== null);
  if (status >= 500 && !busy) throw new Error(`status ${status}`);
  host.replied();
  if (busy) host.pause(readPause(retryAfter, now));
  return status === 404 ? null : registeredAt;
}

/** RFC 9110: seconds or a date. */
function readPause(retryAfter: string | null, now: number): number {
  const text = retryAfter?.trim() ?? '';
  const pause = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  if (Number.isNaN(pause)) return DEFAULT_PAUSE_MS;
  return Math.min(Math.max(pause, MIN_PAUSE_MS), MAX_PAUSE_MS);
}
