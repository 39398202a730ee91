/** Decides where the first keys and the operator's link are written: to a terminal, else to files; never to a log. */
import type { Logger } from 'pino';
import type { FirstKeys } from '../accounts/first-account.ts';
import { FIRST_REQUEST } from '../contract/first-request.ts';
import { removeSecretFile, writeSecretFile } from './hand-over-secret.ts';
import { forgetKeptKeys } from './kept-keys.ts';
import { printJson, printLine } from './output.ts';

export interface FirstSecrets {
  /** URL of the service, as seen from this machine. */
  readonly url: string;
  /** Keys made at the first start; `undefined` at any other. */
  readonly keys: FirstKeys | undefined;
  /** Link for the operator, as long as there is none. */
  readonly link: string | undefined;
}

export interface FirstSecretsOptions {
  readonly dataDir: string;
  /** Whether the output is a terminal. */
  readonly terminal: boolean;
  readonly json: boolean;
  /** Writes at every level: without these lines nobody finds the keys. */
  readonly log: Pick<Logger, 'info' | 'error'>;
}

const KEYS_FILE = 'first-keys.txt';
const LINK_FILE = 'setup-link.txt';

/**
 * Hands the keys over, then makes the link and hands it over: what fails later, the keys are not lost. As JSON both are one
 * line, which is printed also when the link cannot be made.
 * @throws what `makeLink` throws
 */
export async function handOverFirstSecrets(
  { url, keys }: Pick<FirstSecrets, 'url' | 'keys'>,
  makeLink: () => Promise<string | undefined>,
  options: FirstSecretsOptions,
): Promise<void> {
  const { dataDir, terminal, json } = options;
  const handOver = terminal ? (json ? inOneLine(options) : onTerminal(options)) : inFiles(options);
  handOver.keys({ url, keys });
  let link: string | undefined;
  try {
    link = await makeLink();
    // A link of an earlier start no longer works.
    removeSecretFile(dataDir, LINK_FILE);
  } finally {
    handOver.link({ url, keys, link });
  }
}

interface HandOver {
  keys(secrets: Pick<FirstSecrets, 'url' | 'keys'>): void;
  /** Also called when no link could be made. */
  link(secrets: FirstSecrets): void;
}

function onTerminal({ dataDir }: FirstSecretsOptions): HandOver {
  return {
    keys({ url, keys }) {
      if (keys === undefined) return;
      printLine(`\nThe first start made an account and its keys.\n\n${describeKeys(keys, url)}\n`);
      forgetKeptKeys(dataDir);
    },
    link({ link }) {
      if (link !== undefined) printLine(`\n${describeLink(link)}\n`);
    },
  };
}

function inOneLine({ dataDir }: FirstSecretsOptions): HandOver {
  return {
    keys() {},
    link(secrets) {
      printSecrets(secrets);
      if (secrets.keys !== undefined) forgetKeptKeys(dataDir);
    },
  };
}

/** Files for secrets. With `--json` their names are printed before the log lines that say the same. */
function inFiles(options: FirstSecretsOptions): HandOver {
  const { dataDir, json, log } = options;
  let keysFile: string | undefined;
  return {
    keys({ url, keys }) {
      if (keys === undefined) return;
      keysFile = tryToWrite(KEYS_FILE, `${describeKeys(keys, url)}\n`, options);
      if (keysFile !== undefined) forgetKeptKeys(dataDir);
    },
    link({ keys, link }) {
      const linkFile =
        link === undefined ? undefined : tryToWrite(LINK_FILE, `${describeLink(link)}\n`, options);
      if (json) printFiles(keys, keysFile, linkFile);
      if (keysFile !== undefined)
        log.info(
          { file: keysFile },
          'the first keys are in this file: read it, store the keys, delete the file',
        );
      if (linkFile !== undefined)
        log.info(
          { file: linkFile },
          'the dashboard has no operator yet: open the link in this file to create one',
        );
    },
  };
}

function printSecrets({ url, keys, link }: FirstSecrets): void {
  if (keys === undefined && link === undefined) return;
  const made = keys && {
    account_id: keys.account.id,
    ...(keys.live === null ? {} : { live_key: keys.live }),
    sandbox_key: keys.sandbox,
    curl: curlOf(keys, url),
  };
  printJson({ ...made, ...(link === undefined ? {} : { setup_link: link }) });
}

function printFiles(keys: FirstKeys | undefined, keysFile?: string, linkFile?: string): void {
  if ((keysFile ?? linkFile) === undefined) return;
  const made = keysFile === undefined ? undefined : { account_id: keys?.account.id, keys_file: keysFile };
  printJson({ ...made, ...(linkFile === undefined ? {} : { setup_link_file: linkFile }) });
}

/** The service starts even if the disk is full: the next start hands the keys over, and makes another link. */
function tryToWrite(name: string, text: string, { dataDir, log }: FirstSecretsOptions): string | undefined {
  try {
    return writeSecretFile(dataDir, name, text);
  } catch (error) {
    log.error(
      { err: error },
      `${name} could not be written: make room in the data folder and start again, or create a key or a link with \`gatehouse key create\` and \`gatehouse user link\``,
    );
    return undefined;
  }
}

function describeKeys(keys: FirstKeys, url: string): string {
  const { account, live, sandbox } = keys;
  return `  Account      ${account.name} (${account.id}), plan ${account.plan}
  Live key     ${live ?? 'as set by GATEHOUSE_BOOTSTRAP_KEY'}
  Sandbox key  ${sandbox}

These keys cannot be shown again. Assess a signup:

  ${curlOf(keys, url)}

API reference: ${url}/docs`;
}

function describeLink(link: string): string {
  return `The dashboard has no operator yet. This link creates one. It works once, for 24 hours:

  ${link}`;
}

/** A curl line with the live key, or with the sandbox key if the operator set the live one. */
function curlOf({ live, sandbox }: FirstKeys, url: string): string {
  const body = JSON.stringify(FIRST_REQUEST);
  const key = live ?? sandbox;
  return `curl -s ${url}/v1/assess -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '${body}'`;
}
