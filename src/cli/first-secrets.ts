/** Decides where the first keys and the operator's link are written: to a terminal, else to files; never to a log. */
import type { Logger } from 'pino';
import type { FirstKeys } from '../accounts/first-account.ts';
import { removeSecretFile, writeSecretFile } from './hand-over-secret.ts';
import { printJson, printLine } from './output.ts';

export interface FirstSecrets {
  /** URL of the service, as seen from this machine. */
  readonly url: string;
  /** Only at the first start. */
  readonly keys: FirstKeys | undefined;
  /** As long as there is no operator. */
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

export function handOverFirstSecrets(secrets: FirstSecrets, options: FirstSecretsOptions): void {
  // A link of an earlier start no longer works.
  removeSecretFile(options.dataDir, LINK_FILE);
  if (!options.terminal) tryToWrite(secrets, options);
  else if (options.json) printSecrets(secrets);
  else showSecrets(secrets);
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

function showSecrets({ url, keys, link }: FirstSecrets): void {
  if (keys !== undefined) {
    printLine(`\nGatehouse is ready at ${url}\n\n${describeKeys(keys, url)}\n\nAPI reference: ${url}/docs\n`);
  }
  if (link !== undefined) printLine(`${keys === undefined ? '\n' : ''}${describeLink(link)}\n`);
}

/** The service starts even if the disk is full: new keys can be created later. */
function tryToWrite(secrets: FirstSecrets, options: FirstSecretsOptions): void {
  try {
    writeFiles(secrets, options);
  } catch (error) {
    options.log.error(
      { err: error },
      'the first keys or the link could not be written to a file; create new ones with `gatehouse key create` and `gatehouse user link`',
    );
  }
}

function writeFiles({ url, keys, link }: FirstSecrets, { dataDir, json, log }: FirstSecretsOptions): void {
  const keysFile = keys && writeSecretFile(dataDir, KEYS_FILE, `${describeKeys(keys, url)}\n`);
  const linkFile =
    link === undefined ? undefined : writeSecretFile(dataDir, LINK_FILE, `${describeLink(link)}\n`);
  if (json && (keysFile ?? linkFile) !== undefined) {
    const made = keys && { account_id: keys.account.id, keys_file: keysFile };
    printJson({ ...made, ...(linkFile === undefined ? {} : { setup_link_file: linkFile }) });
  }
  if (keysFile !== undefined)
    log.info({ file: keysFile }, 'the first keys are in this file: read it, store the keys, delete the file');
  if (linkFile !== undefined)
    log.info(
      { file: linkFile },
      'the dashboard has no operator yet: open the link in this file to create one',
    );
}

function describeKeys(keys: FirstKeys, url: string): string {
  const { account, live, sandbox } = keys;
  return `  Account      ${account.name} (${account.id}), plan ${account.plan}
  Live key     ${live ?? 'as set by GATEHOUSE_BOOTSTRAP_KEY'}
  Sandbox key  ${sandbox}

These keys cannot be shown again. Assess a signup:

  ${curlOf(keys, url)}`;
}

function describeLink(link: string): string {
  return `The dashboard has no operator yet. This link creates one. It works once, for 24 hours:

  ${link}`;
}

/** With the sandbox key if the live one was set by the operator. */
function curlOf({ live, sandbox }: FirstKeys, url: string): string {
  const body = JSON.stringify({ email: 'someone@mailinator.com', ip: '203.0.113.7' });
  const key = live ?? sandbox;
  return `curl -s ${url}/v1/assess -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '${body}'`;
}
