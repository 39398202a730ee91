/** Says why a database cannot be used, and what an operator should set or check. */
import pg from 'pg';
import { driverUrl } from './connection.ts';
import { messageOf } from './database.ts';

/** Advice by the code of the server or the system, or by the message; the first row that fits counts. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/^ECONNREFUSED$/, 'start PostgreSQL there, or set the right host and port in the URL (5432 is usual)'],
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, 'set the right host in the URL, or check the DNS of this machine'],
  [/^ENOENT$/, 'set the folder of the server’s socket, or the right path of a certificate, in the URL'],
  [
    /^(?:ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$|^timeout expired$/,
    'check host and port in the URL, and the firewalls in between',
  ],
  [
    /^28P01$|client password must be a string/,
    'set the right user and password in the URL, postgres://user:password@host:5432/database, special characters as %XX',
  ],
  [
    /^28000$/,
    'allow this user from this machine in pg_hba.conf; if the server wants TLS, add ?sslmode=verify-full to the URL',
  ],
  [
    /^3D000$/,
    'create the database, for example with `createdb`, or set the right name at the end of the URL',
  ],
  [/^42501$/, 'make this user the owner of the database, or allow it to create tables there'],
  [/^25006$/, 'set DATABASE_URL to the primary: this server is a standby, or read-only'],
  [/^53300$/, 'raise max_connections of the server: a node needs about 25'],
  [/does not support SSL/, 'turn on TLS in the server, or remove sslmode from the URL'],
  [
    /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+)$/,
    'add the certificate of the server’s authority to the URL: &sslrootcert=/path/to/ca.pem',
  ],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'use the host name in the URL that the server’s certificate is for'],
];

/** The error for a database that cannot be used: where it is, why, and what to set, in one line without user and password. */
export function unusable(url: string, error: Error): Error {
  const advice = adviceFor(error);
  const remedy = advice === undefined ? '' : `; ${advice}`;
  return new Error(`cannot use the database ${placeOf(url)}: ${messageOf(error)}${remedy}`, { cause: error });
}

/** `host:port/name` as the driver completes it, because the URL may leave parts out. */
function placeOf(url: string): string {
  try {
    const { host, port, database } = new pg.Client({ connectionString: driverUrl(url) });
    return `${host.includes(':') ? `[${host}]` : host}:${port}/${database}`;
  } catch {
    // The driver also reads the certificate files that the URL names, which may fail.
    const { host, pathname } = new URL(url);
    return `${host}${pathname}`;
  }
}

/** Advice in a few words; undefined where the error says all there is to say. */
function adviceFor(error: Error): string | undefined {
  const [cause = error] = error instanceof AggregateError ? (error.errors as Error[]) : [error];
  const { code, message } = cause as Error & { readonly code?: unknown };
  const texts = [typeof code === 'string' ? code : '', message];
  return ADVICE.find(([pattern]) => texts.some((text) => pattern.test(text)))?.[1];
}
