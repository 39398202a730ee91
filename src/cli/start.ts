/** gatehouse start: runs the service until a signal stops it. */
import { closeSync, openSync } from 'node:fs';
import type { Command } from 'commander';
import type { Logger } from 'pino';
import { linkUrl, makeFirstLink } from '../accounts/secret-link.ts';
import { type Config, isDataDirUnset, readConfig, unknownSettings } from '../config/config.ts';
import { readManagerWishes } from '../config/service-manager.ts';
import { socketPathOf } from '../model/listen-address.ts';
import type { ScheduledBackups } from '../operate/backup/scheduled-backups.ts';
import { isStoreFailure, reasonOfFailure } from '../store/store-failure.ts';
import type { Service } from '../wiring/app.ts';
import { type FirstSecretsOptions, handOverFirstSecrets } from './first-secrets.ts';
import { followLogLevel } from './follow-log-level.ts';
import { hasInstallation } from './has-installation.ts';
import { firstKeysToHandOver, UnkeptKeys } from './kept-keys.ts';
import { command } from './options.ts';
import type { OutputOptions } from './output.ts';
import { createServiceManager } from './service-manager.ts';

interface StartOptions extends OutputOptions {
  readonly newSecret?: true;
}

const STOP_MS = 10_000;

export function start(): Command {
  return command(
    'start',
    'Run the service. The first start creates an account, and shows its keys if the output is a terminal.',
    [],
    'print new keys and the link for the first operator as one line of JSON, before the log line “listening”; if the output is not a terminal, print the names of the files with them',
    'log lines for people, also if the output is not a terminal',
  )
    .option(
      '--new-secret',
      'start with a new secret if secret.key (or GATEHOUSE_SECRET) is missing or has changed: sessions end, second factors no longer work, own-list entries for addresses match nobody, and feedback and dashboard no longer find earlier addresses',
    )
    .action(async (options: StartOptions) => {
      const endSurvival = surviveHangUp();
      try {
        await serve(options, endSurvival);
      } finally {
        endSurvival();
      }
    });
}

/** Runs the service until a signal ends it. @param onHandled called once the service handles signals itself */
async function serve(options: StartOptions, onHandled: () => void): Promise<void> {
  const config = readConfig();
  // Loaded here, so that other commands start without the parts of the service.
  const [{ wireService }, { atEveryLevel, createLogger }] = await Promise.all([
    import('../wiring/app.ts'),
    import('../platform/logger.ts'),
  ]);
  const log = createLogger(config, options.text === true ? linesForPeople() : undefined);
  const unknown = unknownSettings();
  if (unknown.length > 0) log.warn(`unknown setting, ignored: ${unknown.join(', ')}`);
  reportNew(config, atEveryLevel(log));
  const newSecret = options.newSecret === true;
  const backups = await scheduleBackups(config, log);
  const state = backups?.state ?? (() => null);
  const service = await wireService(config, log, { newSecret, backups: state }).catch((error) => {
    throw asStartFailure(error);
  });
  const begun = beginService(service, config, log, {
    terminal: process.stdout.isTTY === true,
    json: options.json === true,
    log: atEveryLevel(log),
  });
  const manager = createServiceManager(readManagerWishes(), log);
  const level = followLogLevel(config, log, atEveryLevel(log));
  const signals = handleSignals(service, begun, { log, onStop: manager.stopping, onHangUp: level.read });
  onHandled();
  try {
    await begun;
    manager.ready();
    backups?.start();
    await signals.stopped;
  } catch (error) {
    // Ends the threads in order, before the process ends.
    await service.close();
    throw asStartFailure(error);
  } finally {
    manager.close();
    level.close();
    await backups?.close();
    signals.end();
  }
}

/** `undefined` where none are scheduled. */
async function scheduleBackups(config: Config, log: Logger): Promise<ScheduledBackups | undefined> {
  const { backupDir } = config;
  if (backupDir === null) return undefined;
  const { createScheduledBackups } = await import('../operate/backup/scheduled-backups.ts');
  const [node, script] = process.argv as [string, string];
  const program = [node, script] as const;
  return createScheduledBackups({ config: { ...config, backupDir }, program, clock: Date.now, log });
}

/** Log lines as on a terminal, without colours. */
function linesForPeople() {
  const write = (line: string) => process.stdout.write(line);
  return { isTTY: true, write };
}

/** A start in the wrong folder makes an installation that knows no key of the right one: so it says that it begins one. */
function reportNew(config: Config, log: Logger): void {
  const { dataDir, databaseUrl } = config;
  if (databaseUrl !== null || !isDataDirUnset() || hasInstallation(config)) return;
  log.warn(
    `there is no installation in ${dataDir}: a new one begins there, with new keys. If you have one elsewhere, stop this and set GATEHOUSE_DATA_DIR to its folder`,
  );
}

/** Error whose line explains a database that failed during the start; other errors as they are. */
function asStartFailure(error: unknown): unknown {
  // The error of a database that could not be opened already says what to set.
  if (!isStoreFailure(error) || /^DATABASE_URL: /.test((error as Error).message)) return error;
  const reason = reasonOfFailure(error);
  return new Error(
    `the service did not start, because of the database: ${reason}; nothing is lost, also no keys of a first start: start it again`,
    { cause: error },
  );
}

/** URL for people on the same machine. Some browsers refuse to open `0.0.0.0` or `[::]`; none opens a Unix socket, but a proxy does. */
export function localUrl(url: string): string {
  if (socketPathOf(url) !== undefined) return 'http://localhost';
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

/** Listens, makes and hands over the first secrets, and answers. Returns the URL. */
export async function beginService(
  service: Service,
  config: Config,
  log: Logger,
  reader: Omit<FirstSecretsOptions, 'dataDir'>,
): Promise<string> {
  const url = await service.listen();
  const near = localUrl(url);
  const { dataDir, bootstrapKey } = config;
  const kept = { dataDir, bootstrapKey, unkept: reader.terminal };
  const keys = await firstKeysToHandOver(service.store, kept).catch((error: Error) => {
    if (!(error instanceof UnkeptKeys)) throw error;
    reader.log.error({ err: error }, 'no account was made: its keys could not be written to the data folder');
    return undefined;
  });
  const makeLink = async () => {
    const secret = await makeFirstLink(service.store, Date.now());
    return secret === undefined ? undefined : linkUrl(config.publicUrl ?? near, 'setup', secret);
  };
  await handOverFirstSecrets({ url: near, keys }, makeLink, { ...reader, dataDir });
  await service.start();
  if (keys !== undefined) log.info(describeRetention(config));
  log.info({ url, data: config.dataDir }, 'listening');
  return url;
}

/** Line for the first start about the retention: what is stored is not kept for ever, unless the operator wants that. */
function describeRetention(config: Config): string {
  const { retentionDays: days, retentionMonths: months, retentionPersonalDays: personal } = config;
  const then = personal === null ? '' : `; IPs and addresses in them for ${personal} days`;
  if (months !== null) return `assessments are kept for ${months} months${then} (GATEHOUSE_RETENTION_MONTHS)`;
  if (days === null) return `assessments are kept for ever${then} (GATEHOUSE_RETENTION_DAYS)`;
  return `assessments are kept for ${days} days${then}; GATEHOUSE_RETENTION_DAYS and GATEHOUSE_RETENTION_PERSONAL_DAYS change that`;
}

/** Whether the service was started on a terminal that is gone now. Under nohup, systemd or in a container there is none. */
function isTerminalClosed(): boolean {
  if (process.stdin.isTTY !== true && process.stdout.isTTY !== true) return false;
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return false;
  } catch {
    return true;
  }
}

/** Exit status of a process that SIGHUP ended, as the shell reports it. */
const ENDED_BY_HANG_UP = 129;

/** Ignores hang-ups until the service has a handler of its own: a start takes seconds on a busy machine. @returns ends this */
function surviveHangUp(): () => void {
  const handle = () => {
    if (isTerminalClosed()) process.exit(ENDED_BY_HANG_UP);
  };
  process.on('SIGHUP', handle);
  return () => process.off('SIGHUP', handle);
}

interface Signals {
  /** Resolves after a signal, once everything that was accepted is answered and stored. */
  readonly stopped: Promise<void>;
  /** Leaves signals and rejections to Node.js again. */
  end(): void;
}

interface SignalOptions {
  readonly log: Logger;
  readonly onStop: () => void;
  /** Called for a SIGHUP that ends nothing. */
  readonly onHangUp: () => void;
}

function handleSignals(
  service: Service,
  begun: Promise<unknown>,
  { log, onStop, onHangUp }: SignalOptions,
): Signals {
  let onStopped = () => {};
  const stopped = new Promise<void>((resolve) => {
    onStopped = resolve;
  });
  const stop = (signal: NodeJS.Signals) => {
    log.info({ signal }, 'stopping');
    onStop();
    process.once(signal, () => process.exit(1));
    setTimeout(() => {
      log.error('could not stop within 10 seconds; what was acknowledged is kept');
      process.exit(1);
    }, STOP_MS).unref();
    const close = () =>
      service.close().then(onStopped, (error: unknown) => {
        log.error({ err: error }, 'could not stop cleanly');
        process.exit(1);
      });
    // The start is completed first: the first keys are shown, and nothing starts after the end. A start that fails
    // ends by itself.
    void begun.then(close, () => {});
  };
  const hangUp = () => {
    if (isTerminalClosed()) stop('SIGHUP');
    else {
      onHangUp();
      log.info('SIGHUP reads the log level again, and no setting: feeds and keys follow by themselves');
    }
  };
  const rejected = (error: unknown) => log.error({ err: error }, 'a background task failed');
  process.on('unhandledRejection', rejected).on('SIGHUP', hangUp).once('SIGTERM', stop).once('SIGINT', stop);
  const end = () => {
    process
      .off('unhandledRejection', rejected)
      .off('SIGHUP', hangUp)
      .off('SIGTERM', stop)
      .off('SIGINT', stop);
  };
  return { stopped, end };
}
