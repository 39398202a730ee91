/** gatehouse scan: what is wrong with the list of users that somebody already has; nothing is stored. */
import { accessSync, constants, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { readConfig } from '../config/config.ts';
import type { ScanReport } from '../operate/scan/scan-report.ts';
import {
  createChosenColumns,
  createParseColumns,
  type NamedColumns,
  USER_PARTS,
} from '../operate/signup-file/signup-columns.ts';
import { openRows } from '../operate/signup-file/signup-source.ts';
import { command } from './options.ts';
import { type OutputOptions, printJson, printLine, wantsJson } from './output.ts';
import { createProgressLine } from './progress-line.ts';

interface ScanCommandOptions extends OutputOptions {
  readonly columns?: NamedColumns;
  readonly dns?: true;
  readonly html?: string;
  readonly showAddresses?: true;
}

const USUAL_WIDTH = 80;

const scanOptions = () => [
  new Option('--columns <names>', 'email=…,ip=…,time=…, where they have unusual names').argParser(
    createParseColumns(USER_PARTS),
  ),
  new Option('--dns', 'ask DNS whether each domain takes mail'),
  new Option('--html <file>', 'also write the report as one page with pictures to this file'),
  new Option('--show-addresses', 'show full addresses; they are masked otherwise'),
];

const SCAN_HELP = `
Finds in a list of users: waves (many signups by one hand), mailboxes with many spellings, throw-away and dead domains,
mistyped and role addresses. It needs no installation, stores nothing, and sends no address to anybody. With --dns, your
name server hears the domains.

The first line of a CSV names its columns: the address, and the IP and the time of the signup if there are any. Separators
, ; | and tab are recognised; JSON lines work as well. Times are ISO 8601 (UTC where no zone is named), or seconds or
milliseconds since 1970. With IPs and times, more waves are found.

Example: users.csv
  email,ip,created_at
  ann@example.com,198.51.100.7,2026-03-01T09:30:00Z
  bob@mailinator.com,203.0.113.9,2026-03-01T09:31:10Z

  gatehouse scan users.csv
  gatehouse scan users.csv --dns --html users.html
  gatehouse scan export.csv --columns email=Mail,ip='Client IP',time=Joined
  psql -c 'COPY (SELECT email, created_at FROM users) TO STDOUT CSV HEADER' | gatehouse scan -

What each finding means: docs/scan.md.`;

export function scan(): Command {
  return command(
    'scan',
    'Look through a list of users: fake signups that came as waves, bad domains, mistyped addresses.',
    scanOptions(),
  )
    .argument('<file>', 'CSV or JSON lines; - reads the standard input')
    .addHelpText('after', SCAN_HELP)
    .action((file: string, options: ScanCommandOptions) => scanFile(file, options));
}

async function scanFile(file: string, options: ScanCommandOptions): Promise<void> {
  if (options.html !== undefined) requireWritable(options.html, file);
  const report = await makeReport(file, options);
  if (options.html !== undefined) await writePage(options.html, report, file);
  await print(report, options);
}

async function makeReport(file: string, options: ScanCommandOptions): Promise<ScanReport> {
  const [{ openScan }, { inOrderOfTime }, { makeScanReport }, { refuseNewer }] = await Promise.all([
    import('../operate/scan/scan.ts'),
    import('../operate/scan/scan-row.ts'),
    import('../operate/scan/scan-report.ts'),
    import('../operate/newer-data.ts'),
  ]);
  const config = readConfig();
  await refuseNewer(config);
  const columns = createChosenColumns(options.columns ?? {}, USER_PARTS);
  const started = performance.now();
  const source = openRows(file, columns.choose);
  const opened = await openScan(config, { dns: options.dns === true });
  const { reading, findWaves } = opened;
  const line = createProgressLine(process.stderr);
  try {
    for await (const batch of source.batches) {
      await reading.add(batch);
      line.show(() => `${percentOf(source.progress())}${reading.read.toLocaleString('en-US')} rows read`);
    }
    await reading.finish();
    const found = reading.rows();
    requireRows(reading.read, found.length, reading.unused());
    const rows = inOrderOfTime(found, Date.now());
    const waves = findWaves(rows, (done) => {
      line.show(() => `${percentOf(done / rows.length)}looking for waves`);
    });
    const { notChecked, snapshot } = opened;
    return makeScanReport({
      read: reading.read,
      rows,
      waves,
      columns: columns.chosen(),
      unused: reading.unused(),
      notChecked,
      snapshot,
      showAddresses: options.showAddresses === true,
      seconds: (performance.now() - started) / 1000,
    });
  } finally {
    line.end();
    source.stop();
    opened.close();
  }
}

function percentOf(share: number | undefined): string {
  return share === undefined ? '' : `${Math.floor(100 * share)}%: `;
}

/** @throws when no row could be used */
function requireRows(read: number, users: number, unused: ScanReport['unused']): void {
  if (read === 0) throw new Error('there are no users in the list');
  const [problem] = unused;
  if (users > 0 || problem === undefined) return;
  const at = problem.first.map(({ line }) => line).join(', ');
  throw new Error(`none of ${read} rows could be used: ${problem.problem} (line ${at})`);
}

/** Nobody should wait for a scan whose page cannot be written. @throws also for the list itself, which the page would replace */
function requireWritable(file: string, list: string): void {
  if (resolve(file) === resolve(list)) throw new Error('--html names the list itself: name another file');
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true) throw new Error('it is a folder');
    accessSync(dirname(file), constants.W_OK);
  } catch (error) {
    throw cannotWrite(file, error);
  }
}

async function writePage(file: string, report: ScanReport, source: string): Promise<void> {
  const { toScanPage } = await import('../operate/scan/scan-page.ts');
  const page = toScanPage(report, source === '-' ? 'standard input' : basename(source));
  try {
    writeFileSync(file, page, { mode: 0o600 });
  } catch (error) {
    throw cannotWrite(file, error);
  }
}

function cannotWrite(file: string, error: unknown): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  return new Error(
    `cannot write ${file} (${code ?? message}): name a file in a folder that you may write to`,
  );
}

async function print(report: ScanReport, options: ScanCommandOptions): Promise<void> {
  if (wantsJson(options)) return printJson(report);
  const { toScanLines } = await import('../operate/scan/scan-report-text.ts');
  for (const text of toScanLines(report, process.stdout.columns ?? USUAL_WIDTH)) printLine(text);
  if (options.html !== undefined) printLine(`The page is in ${options.html}.`);
}
