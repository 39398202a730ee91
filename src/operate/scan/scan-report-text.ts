/** A scan in words, for a terminal of any width. */
import { columnLines, count, percent, toUnusedLine } from '../signup-file/report-words.ts';
import type { DomainGroup, ScanReport, WaveExample, WaveReport } from './scan-report.ts';

/** Narrower lines are no easier to read. */
const MAX_WIDTH = 110;
const MIN_WIDTH = 24;
/** Columns from which on there is room for bars. */
const BAR_WIDTH = 72;
const BAR_CELLS = 24;
const MAX_FARMS = 5;
const MAX_DOMAINS = 5;

/** @param columns of the terminal */
export function toScanLines(report: ScanReport, columns: number): string[] {
  const width = Math.max(MIN_WIDTH, Math.min(MAX_WIDTH, columns));
  const lines = [
    `${count(report.flagged)} of ${count(report.users)} users (${percent(report.flagged, report.users)}) are in a wave or a mailbox farm, or at a throw-away or dead domain.`,
    '',
    ...summaryLines(report, width),
    ...waveLines(report),
    ...farmLines(report),
    ...aliasLines(report),
    ...groupLines('Throw-away domains', report.disposable),
    ...groupLines('Domains that take no mail', report.dead),
    ...groupLines('Mistyped domains', report.mistyped),
    ...(report.role.users === 0 ? [] : ['', 'Role addresses', ...exampleLines(report.role.examples, '  ')]),
    '',
    ...remarkLines(report),
  ];
  return lines.flatMap((line) => wrap(line, width));
}

/** Kinds of findings with their shares. */
export function summaryOf(report: ScanReport): { name: string; users: number }[] {
  return [
    { name: 'In waves', users: report.in_waves },
    { name: 'Mailbox farms', users: report.mailbox_farms.users },
    { name: 'Throw-away domain', users: report.disposable.users },
    { name: 'Dead domain', users: report.dead.users },
    { name: 'Mistyped domain', users: report.mistyped.users },
    { name: 'Role address', users: report.role.users },
  ];
}

function summaryLines(report: ScanReport, width: number): string[] {
  const rows = summaryOf(report);
  const largest = Math.max(1, ...rows.map(({ users }) => users));
  const name = Math.max(...rows.map((row) => row.name.length));
  const size = Math.max(...rows.map(({ users }) => count(users).length));
  return rows.map((row) => {
    const numbers = `${count(row.users).padStart(size)}  ${percent(row.users, report.users).padStart(6)}`;
    const cells = Math.ceil((BAR_CELLS * row.users) / largest);
    const bar = width < BAR_WIDTH ? '' : `  ${'█'.repeat(cells)}`;
    return `${row.name.padEnd(name)}  ${numbers}${bar}`.trimEnd();
  });
}

function waveLines({ waves, users }: ScanReport): string[] {
  if (waves.length === 0) return ['', 'No waves were found.'];
  return [
    '',
    `${count(waves.length)} ${waves.length === 1 ? 'wave' : 'waves'}: many signups by one hand`,
    ...waves.flatMap((wave, at) => [
      '',
      `${String(at + 1).padStart(2)}. ${count(wave.size)} (${percent(wave.size, users)}): ${wave.shares}`,
      `    ${factsOf(wave).join(' · ')}`,
      ...exampleLines(wave.examples, '    '),
    ]),
  ];
}

/** Facts of a wave, one a phrase. */
export function factsOf(wave: WaveReport): string[] {
  const { sure, odds, from, until, networks, hosting, size, domains, scope } = wave;
  return [
    `by chance: below ${odds}`,
    ...(sure ? [] : ['likely rather than sure']),
    ...(from === null || until === null ? [] : [spanWords(from, until)]),
    ...(domains > 1 && scope !== 'fresh_domains' && scope !== 'mail_host'
      ? [`${count(domains)} domains`]
      : []),
    ...(networks === 0 ? [] : [`${count(networks)} ${networks === 1 ? 'network' : 'networks'}`]),
    ...(hosting === 0 ? [] : [`${percent(hosting, size)} from hosting, VPN or proxy`]),
  ];
}

/** `2026-03-01 … 2026-03-04`; with the time within one day. */
export function spanWords(from: string, until: string): string {
  const [firstDay, lastDay] = [from.slice(0, 10), until.slice(0, 10)];
  if (firstDay !== lastDay) return `${firstDay} … ${lastDay}`;
  return `${firstDay} ${from.slice(11, 16)} … ${until.slice(11, 16)}`;
}

function farmLines({ mailbox_farms: farms }: ScanReport): string[] {
  if (farms.mailboxes === 0) return [];
  const shown = farms.largest.slice(0, MAX_FARMS);
  const more = farms.mailboxes - shown.length;
  return [
    '',
    `${count(farms.mailboxes)} mailbox ${farms.mailboxes === 1 ? 'farm' : 'farms'}: spellings of one mailbox`,
    ...shown.flatMap(({ spellings, from, until, examples }) => {
      const span = from === null || until === null ? '' : `, ${spanWords(from, until)}`;
      return [`  ${count(spellings)} spellings${span}`, ...exampleLines(examples, '    ')];
    }),
    ...(more > 0 ? [`  … and ${count(more)} more`] : []),
  ];
}

function aliasLines(report: ScanReport): string[] {
  const words = aliasWords(report);
  return words === undefined ? [] : ['', words];
}

/** Mailboxes with few addresses; `undefined` if there are none. */
export function aliasWords({ mailbox_aliases: { mailboxes, users } }: ScanReport): string | undefined {
  if (mailboxes === 0) return undefined;
  const size = `${count(mailboxes)} ${mailboxes === 1 ? 'mailbox' : 'mailboxes'}, ${count(users)} users`;
  return `2–5 addresses of one mailbox: ${size} (may be one person’s tags; not counted above)`;
}

function groupLines(title: string, { domains, examples }: DomainGroup): string[] {
  if (domains.length === 0) return [];
  return [
    '',
    title,
    ...domains.slice(0, MAX_DOMAINS).map(({ domain, users, meant, why }) => {
      const more = meant === undefined ? (why === undefined ? '' : `: ${why}`) : `: ${meant} was meant`;
      return `  ${count(users)} at ${domain}${more}`;
    }),
    ...exampleLines(examples, '  '),
  ];
}

function exampleLines(examples: readonly WaveExample[], indent: string): string[] {
  const shown = examples.map(({ line, email, meant }) =>
    meant === undefined ? `${email} (line ${line})` : `${email} (line ${line}; meant ${meant})`,
  );
  return [`${indent}${shown.length === 1 ? 'Example' : 'Examples'}: ${shown.join(', ')}`];
}

/** Remarks about the scan itself. */
export function remarkLines(report: ScanReport): string[] {
  const { users, without_time: untimed, repeated, unused, not_checked: notChecked } = report;
  return [
    ...columnLines(report.columns),
    ...unused.map(toUnusedLine),
    ...(repeated === 0 ? [] : [`Rows that repeat an address: ${count(repeated)}.`]),
    ...(untimed === 0
      ? []
      : [
          untimed === users
            ? 'No user has a time: all were taken as of one instant, so that when a wave came is not known.'
            : `Users without a time: ${count(untimed)}, taken as of the row before them.`,
        ]),
    `Not checked: ${notChecked.join(', ')}.`,
    `${count(report.rows)} ${report.rows === 1 ? 'row' : 'rows'} in ${report.seconds.toFixed(1)} s. Nothing was stored, and no address left this machine.`,
  ];
}

/** Lines of at most `width` characters; those that continue one are indented by two more. */
function wrap(line: string, width: number): string[] {
  if (line.length <= width) return [line];
  const indent = ' '.repeat(line.length - line.trimStart().length);
  const lines: string[] = [];
  let last = indent;
  for (const word of line.trim().split(' ')) {
    const isFirst = last.trim() === '';
    if (!isFirst && last.length + 1 + word.length > width) {
      lines.push(last);
      last = `${indent}  ${word}`;
    } else last = isFirst ? `${last}${word}` : `${last} ${word}`;
  }
  return [...lines, last];
}
