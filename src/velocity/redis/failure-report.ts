/** Decides what is reported about servers that cannot be used: the most informative failure, and what to set or check. */
import { CLOSED_UNANSWERED, NO_CONNECTION, NO_TLS, SILENT } from './connection.ts';

export interface FailureReportOptions {
  /** Called when the first server stops answering, with the reason and what to do, and when all answer again. */
  readonly onDegraded: (degraded: boolean, why: string, advice: string) => void;
  /** Called when the reason has changed since then; once for each reason. */
  readonly onFurtherReason?: (why: string, advice: string) => void;
}

export interface FailureReport {
  note(message: string): void;
  /** Forgets the noted failure. */
  clear(): void;
  /** Reports each change once. */
  reportChange(degraded: boolean): void;
  /** Call about each second. A short problem, such as a failover, is not reported. */
  reportFurtherReason(): void;
}

export function createFailureReport({ onDegraded, onFurtherReason }: FailureReportOptions): FailureReport {
  const advised = new Set<string>();
  /** Reasons seen at an earlier call. They may take turns: a wrong password is refused, then commands without one are. */
  const seen = new Set<string>();
  let failure = '';
  let reported = false;

  return {
    note(message) {
      if (failure === '' || !isUninformative(message)) failure = message;
    },
    clear() {
      failure = '';
    },
    reportChange(degraded) {
      if (degraded === reported) return;
      reported = degraded;
      const { why, advice } = explainFailure(failure);
      advised.clear();
      seen.clear();
      advised.add(advice);
      onDegraded(degraded, why, advice);
    },
    reportFurtherReason() {
      if (!reported || failure === '') return;
      const { why, advice } = explainFailure(failure);
      const lasts = seen.has(advice) && !advised.has(advice);
      seen.add(advice);
      if (!lasts) return;
      advised.add(advice);
      onFurtherReason?.(why, advice);
    },
  };
}

interface Explanation {
  readonly why: string;
  readonly advice: string;
}

/** Messages of the client that only say that there is no connection. */
const UNINFORMATIVE =
  /^(?:Stream isn|Connection is closed|Reached the max retries|Cluster isn|None of startup nodes|no answer within|Command aborted)/;

const SENTINEL_FORM = 'redis+sentinel://host:26379/name';
const LOST = 'the connection was lost: check whether the server runs';
const SPEAKS =
  'check that REDIS_URL names a Valkey or Redis, and begins with rediss:// if the server uses TLS';

/** The first row that matches the message is used. */
const ADVICE: readonly (readonly [RegExp | string, string])[] = [
  [
    'READONLY',
    `this server is a replica: set REDIS_URL to the primary, or to its Sentinels, ${SENTINEL_FORM}`,
  ],
  [
    /WRONGPASS|invalid (?:username-)?password/,
    'set the right user and password in REDIS_URL, redis://user:password@host:6379, special characters as %XX; those of Sentinels are ?sentinel_user= and ?sentinel_password=',
  ],
  [
    'NOAUTH',
    'set the password in REDIS_URL, redis://:password@host:6379; that of Sentinels is ?sentinel_password=',
  ],
  [
    'NOPERM',
    'allow this user INFO, the scripting commands and all data commands on keys that begin with gatehouse:',
  ],
  [
    'Unknown RESP type',
    'the program on this port is not Valkey or Redis: set the right host and port in REDIS_URL (6379 is usual)',
  ],
  [
    /unknown command/i,
    `the program on this port keeps no data; for a Sentinel, REDIS_URL is ${SENTINEL_FORM}`,
  ],
  [
    'cluster support disabled',
    `these servers are not a cluster: set one URL in REDIS_URL, or the Sentinels that know the primary, ${SENTINEL_FORM}`,
  ],
  ['SELECT is not allowed', 'a cluster has no databases: remove the number at the end of REDIS_URL'],
  ['DB index', 'the server has fewer databases: use a smaller number at the end of REDIS_URL, or none'],
  [
    /^MOVED|CROSSSLOT/,
    'this server belongs to a cluster: set the cluster’s address, or several of its nodes separated by commas, in REDIS_URL',
  ],
  [
    /No such master|invalid reply: null/,
    'these Sentinels know no primary with this name: use the name after `sentinel monitor` in their configuration at the end of REDIS_URL',
  ],
  ['OOM', 'give the server more memory (maxmemory), with maxmemory-policy noeviction'],
  [/LOADING|BUSY|MISCONF|MASTERDOWN/, 'wait, or check the log of the server'],
  [
    /wrong version number|packet length too long|record layer failure/i,
    'the server does not use TLS on this port: write redis:// instead of rediss:// in REDIS_URL, or set its TLS port',
  ],
  [
    /self.signed|unable to (?:verify|get)|issuer cert/i,
    'name the file of the authority that signed the server’s certificate in NODE_EXTRA_CA_CERTS',
  ],
  ['altnames', 'use a host name in REDIS_URL that the server’s certificate contains'],
  ['certificate has expired', 'renew the server’s certificate'],
  [
    new RegExp(`${NO_TLS}|before secure TLS connection|alert`),
    'check host and port in REDIS_URL, and that the server uses TLS there and needs no client certificate; redis:// instead of rediss:// means no TLS',
  ],
  [
    /to sentinel .* because/,
    'set the Sentinels in REDIS_URL by host and port (26379 is usual), and check the network to them',
  ],
  ['ECONNREFUSED', 'nothing listens there: start the server, or set its host and port in REDIS_URL'],
  [/ENOTFOUND|EAI_AGAIN/, 'this host name is not known here: check it in REDIS_URL'],
  [
    'ENOENT',
    'there is no such socket: use the path of `unixsocket` in the server’s configuration in REDIS_URL',
  ],
  [
    /EACCES|EPERM/,
    'let this process open the socket: `unixsocketperm` in the server’s configuration decides',
  ],
  [
    new RegExp(`ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|${NO_CONNECTION}`),
    'no reply from this address: check it in REDIS_URL, and the firewalls in between',
  ],
  [CLOSED_UNANSWERED, SPEAKS],
  [SILENT, `${SPEAKS}; the server may also hang`],
  [
    /CLUSTERDOWN|Failed to refresh slots/,
    'start the cluster’s nodes, and check that REDIS_URL names some of them',
  ],
  [/no answer within|Command timed out/, 'the server or the network to it is slow or hangs'],
];

/** Whether a message only says that there is no connection, not why. */
function isUninformative(message: string): boolean {
  return UNINFORMATIVE.test(message);
}

/** @param message what the server or the client said; may be empty */
export function explainFailure(message: string): Explanation {
  const why = inPlainWords(message) ?? oneLine(message);
  const row = ADVICE.find(([sign]) =>
    typeof sign === 'string' ? message.includes(sign) : sign.test(message),
  );
  const rest = isUninformative(message) ? LOST : 'check REDIS_URL and the server';
  return { why, advice: row?.[1] ?? rest };
}

/** Words for what the client library says of its own state, which tells nobody anything. */
function inPlainWords(message: string): string | undefined {
  if (/^Stream isn|^Connection is closed|^Command aborted|^Reached the max retries/.test(message))
    return 'the connection was lost';
  if (/^Cluster isn|^None of startup nodes/.test(message)) return 'no node of the cluster answers';
  if (/^Command timed out/.test(message)) return 'the server does not answer in time';
  return message === '' ? 'the server does not answer' : undefined;
}

/** Messages of TLS libraries contain line breaks; messages of the server may repeat the command. */
function oneLine(message: string): string {
  return message
    .replace(/, with args beginning with:.*$/s, '')
    .replace(/ ?Please report this\.$/, '')
    .replace(/\s+/g, ' ')
    .trim();
}
