/** gatehouse start: runs the service until it is told to stop. */
import type { Command } from 'commander';
import type { Logger } from 'pino';
import { type FirstKeys, makeFirstAccount } from '../accounts/first-account.ts';
import { makeFirstLink, setupUrl } from '../accounts/people/setup-link.ts';
import { type Config, readConfig, unknownSettings } from '../config.ts';
import { createMakeId } from '../contract/identifiers.ts';
import type { Service } from '../wire.ts';
import { localUrl } from './local-url.ts';
import { command, printLine, wantsJson } from './output.ts';

const STOP_MS = 10_000;

export function start(): Command {
  return command(
    'start',
    'Run the service. The first start makes an account and prints its keys.',
    'print keys and link as one line of JSON, before the line of the log that says “listening”',
  ).action(async (options: { json?: true }) => {
    // Commands do without all that a service consists of.
    const { createLogger, wireService } = await import('../wire.ts');
    const config = readConfig();
    const log = createLogger(config);
    const unknown = unknownSettings();
    if (unknown.length > 0) log.warn(`ignored, for it is no setting: ${unknown.join(', ')}`);
    const service = await wireService(config, log);
    const begun = begin(service, config, log, options);
    const stopped = untilStopped(service, begun, log);
    try {
      await begun;
    } catch (error) {
      // Threads that are let go of in order cannot fall over the end of the process.
      await service.close();
      throw error;
    }
    await stopped;
  });
}

async function begin(service: Service, config: Config, log: Logger, options: { json?: true }): Promise<void> {
  const url = await service.listen();
  const first = await makeFirstAccount(service.store, createMakeId(), Date.now());
  const secret = await makeFirstLink(service.store, Date.now());
  const near = localUrl(url);
  const link = secret === undefined ? undefined : setupUrl(config.publicUrl ?? near, secret);
  await service.start();
  if (first !== undefined) welcome(first, near, link, options);
  else if (link !== undefined) offerSetup(link, options);
  log.info({ url, data: config.dataDir }, 'listening');
}

/** Resolves once a signal came and everything accepted was answered and stored. */
function untilStopped(service: Service, begun: Promise<void>, log: Logger): Promise<void> {
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'a background task failed'));
  return new Promise((resolve) => {
    const stop = (signal: NodeJS.Signals) => {
      log.info({ signal }, 'stopping');
      process.once(signal, () => process.exit(1));
      setTimeout(() => process.exit(1), STOP_MS).unref();
      const close = () =>
        service.close().then(resolve, (error: unknown) => {
          log.error({ err: error }, 'could not stop cleanly');
          process.exit(1);
        });
      // What is begun is begun whole: the first keys are shown, and nothing starts after the end. A start that fails
      // ends by itself.
      void begun.then(close, () => {});
    };
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
  });
}

function welcome(
  { account, live, sandbox }: FirstKeys,
  url: string,
  link: string | undefined,
  options: { json?: true },
): void {
  const body = JSON.stringify({ email: 'someone@mailinator.com', ip: '203.0.113.7' });
  const curl = `curl -s ${url}/v1/assess -H 'Authorization: Bearer ${live}' -H 'Content-Type: application/json' -d '${body}'`;
  if (options.json === true && wantsJson(options)) {
    const keys = { account_id: account.id, live_key: live, sandbox_key: sandbox, curl };
    printLine(JSON.stringify(link === undefined ? keys : { ...keys, setup_link: link }));
    return;
  }
  printLine(`
Gatehouse is ready at ${url}

  Account      ${account.name} (${account.id}), plan ${account.plan}
  Live key     ${live}
  Sandbox key  ${sandbox}

These keys are shown this once. Assess a signup:

  ${curl}

API reference: ${url}/docs
`);
  if (link !== undefined) offerSetup(link, options);
}

function offerSetup(link: string, options: { json?: true }): void {
  if (options.json === true && wantsJson(options)) printLine(JSON.stringify({ setup_link: link }));
  else
    printLine(`The dashboard has no operator yet. This link makes one, once, within 24 hours:

  ${link}
`);
}
