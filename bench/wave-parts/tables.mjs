// Shows results of one seed or of several as tables: on a terminal, and as they stand in docs/waves.md.
import { readFileSync } from 'node:fs';
import { measuredOn } from '../../scripts/figures-table.mjs';
import { CROWDS } from './all-crowds.mjs';
import { WAVES } from './all-waves.mjs';
import { median } from './floors.mjs';

const SOURCES = JSON.parse(readFileSync(new URL('sources.json', import.meta.url), 'utf8'));
const percent = (part) => `${(100 * part).toFixed(1)}%`;
const whole = (value) => Math.round(value).toLocaleString('en-US');
const perTenThousand = (count, all) => ((10_000 * count) / Math.max(1, all)).toFixed(2);

/** Results of one seed. */
export function printResult({ seed, rows, waves, crowds, everyday, cost, live }, print) {
  print(`\nseed ${seed}: ${whole(rows)} signups\n`);
  const header = ['Wave', 'signups', 'first stopped', 'judged from', 'stopped', 'blocked'];
  for (const line of toTable(waves.map(waveCells), header)) print(line);
  print('');
  for (const line of toTable(crowds.map(crowdCells), ['Innocent crowd', 'people', 'challenged', 'blocked']))
    print(line);
  print(`\n${everydayLine(everyday)}\n${costLine(cost, rows)}`);
  if (live !== undefined) {
    print('\nthrough the service, with DNS and a registry\n');
    for (const line of toTable(live.waves.map(waveCells), header)) print(line);
    print('');
    for (const line of toTable(live.crowds.map(crowdCells), [
      'Innocent crowd',
      'people',
      'challenged',
      'blocked',
    ]))
      print(line);
  }
}

const waveCells = ({ name, signups, first, knownFrom, stopped, blocked }) => [
  name,
  signups,
  first === 0 ? '–' : `${first}.`,
  `${knownFrom}.`,
  percent(stopped),
  percent(blocked),
];
const crowdCells = ({ name, people, challenged, blocked }) => [name, people, challenged, blocked];

function everydayLine({ people, challenged, blocked, newly, touched }) {
  const who = Object.entries(touched)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
  return `everyday people: ${whole(people)}; challenged ${challenged}, blocked ${blocked} (${who}); newly touched ${newly}, ${perTenThousand(newly, people)} of 10,000`;
}

const costLine = ({ cpuMicroseconds, peakKb, waves }, rows) =>
  `gatehouse mirror: ${(cpuMicroseconds / rows).toFixed(0)} µs of CPU a signup, for waves ${(waves.onPath / rows).toFixed(2)} before the answer and ${(waves.behind / rows).toFixed(1)} behind it; ${(peakKb / 1024).toFixed(0)} MiB at most`;

/** Content of the tables of docs/waves.md: each cell is the worst of the seeds, or the median where that is said. */
export function toDocument(results) {
  const of = (kind, name) => results.map((result) => result[kind].find((row) => row.name === name));
  const waves = WAVES.map(({ name, shape, source, size, isDecoy }) => {
    const rows = of('waves', name);
    const first = median(rows.map((row) => row.first || Number.POSITIVE_INFINITY));
    const stopped = Math.min(...rows.map((row) => row.stopped));
    return [
      `[${name}](${SOURCES[source].url})`,
      shape,
      whole(size),
      Number.isFinite(first) ? first : '–',
      isDecoy ? '–' : percent(stopped),
    ];
  });
  const crowds = CROWDS.map(({ name, shape, source }) => {
    const rows = of('crowds', name);
    const worst = (field) => Math.max(...rows.map((row) => row[field]));
    return [
      `[${name}](${SOURCES[source].url})`,
      shape,
      whole(rows[0].people),
      worst('challenged'),
      worst('blocked'),
    ];
  });
  const everyday = results.map((result) => result.everyday);
  const sum = (field) => everyday.reduce((total, row) => total + row[field], 0);
  return {
    'waves-run': `${measuredOn()} Seeds ${results.map(({ seed }) => seed).join(', ')}; ${whole(results[0].rows)} signups each.\n`,
    waves: `${toTable(waves, ['Wave', 'Shape', 'Signups', 'First stopped, median', 'Stopped, worst seed'], false).join('\n')}\n`,
    'wave-crowds': `${toTable(crowds, ['Innocent crowd', 'Who', 'People', 'Challenged, worst seed', 'Blocked'], false).join('\n')}\n`,
    'wave-everyday': `Of ${whole(sum('people'))} everyday people, ${whole(sum('challenged'))} were challenged and ${whole(sum('blocked'))} blocked, most for a mistyped domain; ${whole(sum('newly'))} of them (${perTenThousand(sum('newly'), sum('people'))} of 10,000) only because of what waves add. A signup took ${costsOf(results)}.\n`,
    ...(results[0].live !== undefined && { 'waves-live': liveTable(results[0].live) }),
  };
}

/** The range over the seeds is also the noise of the machine: each does about the same work. */
function costsOf(results) {
  const range = (of, digits) => {
    const costs = results.map((result) => of(result.cost) / result.rows);
    const [least, most] = [Math.min(...costs), Math.max(...costs)].map((value) => value.toFixed(digits));
    return least === most ? least : `${least} to ${most}`;
  };
  return `${range(({ cpuMicroseconds }) => cpuMicroseconds, 0)} µs of CPU in \`gatehouse mirror\`, start and files included; of these ${range(({ waves }) => waves.onPath, 2)} µs for waves before the answer and ${range(({ waves }) => waves.behind, 1)} µs behind it. The ranges are those of the seeds, with the noise of the machine`;
}

function liveTable({ waves, crowds }) {
  const rows = [
    ...waves.map(({ name, signups, first, stopped }) => [
      name,
      signups,
      first === 0 ? '–' : first,
      percent(stopped),
      '–',
    ]),
    ...crowds.map(({ name, people, challenged, blocked }) => [name, people, '–', challenged, blocked]),
  ];
  return `${toTable(rows, ['Wave or crowd', 'Signups', 'First stopped', 'Stopped, or challenged', 'Blocked'], false).join('\n')}\n`;
}

/** A table of Markdown. `isWide`: its columns stand below each other. */
export function toTable(rows, header, isWide = true) {
  const cells = [header, ...rows].map((row) => row.map(String));
  const widths = header.map((_, column) =>
    isWide ? Math.max(...cells.map((row) => row[column].length)) : 0,
  );
  const isText = header.map((_, column) =>
    rows.every((row) => typeof row[column] === 'string' && !/^[\d–]/.test(row[column])),
  );
  const line = (row) =>
    `| ${row.map((cell, column) => (isText[column] ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))).join(' | ')} |`;
  const [head, ...body] = cells.map(line);
  const rule = widths.map(
    (width, column) =>
      `${'-'.repeat(Math.max(3, width + 2) - (isText[column] ? 0 : 1))}${isText[column] ? '' : ':'}`,
  );
  return [head, `|${rule.join('|')}|`, ...body];
}
