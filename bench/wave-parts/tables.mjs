// Shows the results as tables: on a terminal, and as they stand in the documents.
const percent = (part) => `${(100 * part).toFixed(1)} %`;
const perTenThousand = (count, all) => ((10_000 * count) / all).toFixed(2);

export function printResults({ seed, rows, waves, crowds, everyday, cost }, print) {
  print(`\nseed ${seed}: ${rows} signups, ${cost.rowsPerSecond} rows a second\n`);
  for (const line of toTable(waveRows(waves), [
    'Wave',
    'signups',
    'first stopped',
    'judged from',
    'stopped',
    'blocked',
  ]))
    print(line);
  print('');
  for (const line of toTable(crowdRows(crowds), ['Innocent crowd', 'people', 'challenged', 'blocked']))
    print(line);
  print('');
  print(
    `Everyday people: ${everyday.people}; challenged ${everyday.challenged}, blocked ${everyday.blocked} (${perTenThousand(everyday.challenged + everyday.blocked, everyday.people)} of 10,000); more than without waves and crowds ${everyday.newly} (${perTenThousand(everyday.newly, everyday.people)}); who: ${JSON.stringify(everyday.touched)}`,
  );
}

const waveRows = (waves) =>
  waves.map(({ name, signups, first, knownFrom, stopped, blocked }) => [
    name,
    signups,
    first === 0 ? '–' : `${first}.`,
    `${knownFrom}.`,
    percent(stopped),
    percent(blocked),
  ]);
const crowdRows = (crowds) =>
  crowds.map(({ name, people, challenged, blocked }) => [name, people, challenged, blocked]);

/** A table of Markdown whose columns stand below each other. */
export function toTable(rows, header) {
  const cells = [header, ...rows].map((row) => row.map(String));
  const widths = header.map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  const line = (row) =>
    `| ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join(' | ')} |`;
  const [head, ...body] = cells.map(line);
  return [
    head,
    `|${widths.map((width, column) => (column === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`,
    ...body,
  ];
}
