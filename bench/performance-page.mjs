// Writes the measured figures into docs/performance.md and its chart. Figures of earlier runs come from performance-figures.json.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { writeTable } from '../scripts/figures-table.mjs';
import { chart } from './chart.mjs';
import { percent } from './doubts.mjs';
import { format, judge } from './judge.mjs';

const FILE = new URL('./performance-figures.json', import.meta.url);
const CHART = new URL('../docs/images/performance.svg', import.meta.url);
const NAMES = {
  echo: 'Echo: parses JSON, sends it back',
  'hand-made': 'mailchecker + mmdb-lib',
  gatehouse: 'Gatehouse',
  rspamd: 'rspamd `/checkv2`',
};
const whole = (value) => Math.round(value).toLocaleString('en-US');

/** @param runs the results of each kind of measure, by its name */
export function writePage(runs) {
  const known = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {};
  const date = new Date().toISOString().slice(0, 10);
  const machine = `${cpus().length} cores (${cpus()[0].model.trim()}), Node.js ${process.version}`;
  for (const [kind, { failures, ...result }] of Object.entries(runs))
    known[kind] = { date, machine, ...result };
  writeFileSync(FILE, `${JSON.stringify(known, rounded, 2)}\n`);
  const { figures = {}, latencies = [], alternatives = [] } = joined(known);
  writeTable('performance-summary', summaryOf(known));
  writeTable('performance', `${noiseOf(known)}\n\n${figuresTable(judge(figures))}`);
  writeTable('latency', latencyTable(latencies));
  writeTable('alternatives', alternativesTable(alternatives));
  writeFileSync(CHART, chart(panelsOf(latencies, alternatives)));
}

/** The summary for a reader in a hurry. */
function summaryOf({ throughput, latency, alternatives }) {
  const sentences = [];
  const ours = alternatives?.alternatives.find(({ name }) => name === 'gatehouse');
  if (ours !== undefined)
    sentences.push(`One core answers ${whole(ours.perSecond)} signups a second at 32 connections.`);
  const { 'ratio-32': few, 'ratio-128': many } = throughput?.figures ?? {};
  if (few !== undefined)
    sentences.push(
      `In rounds beside the echo, it answers ${percent(few.value)} of the echo's requests, and ${percent(many.value)} at 128.`,
    );
  const p99 = latency?.figures['p99-2000'];
  if (p99 !== undefined)
    sentences.push(
      `At 2,000 a second, 99 of 100 are answered within ${p99.value.toFixed(1)} ms, the echo's within ${p99.echo.toFixed(1)} ms.`,
    );
  return `${sentences.join(' ')}\n`;
}

const rounded = (_name, value) => (typeof value === 'number' ? Number(value.toPrecision(5)) : value);

function joined(known) {
  const all = Object.values(known);
  return {
    figures: Object.assign({}, ...all.map(({ figures }) => figures)),
    latencies: known.latency?.latencies,
    alternatives: known.alternatives?.alternatives,
  };
}

function noiseOf(known) {
  const runs = Object.entries(known);
  const machines = new Map();
  for (const [kind, { date, machine }] of runs) {
    const kinds = machines.get(machine) ?? new Map();
    machines.set(machine, kinds.set(date, [...(kinds.get(date) ?? []), `\`${kind}\``]));
  }
  const measured = [...machines].map(([machine, kinds]) => {
    const days = [...kinds].sort(([a], [b]) => (a < b ? -1 : 1));
    return `${machine}: ${days.map(([date, names]) => `${names.join(', ')} on ${date}`).join('; ')}`;
  });
  const noises = runs.flatMap(([, { noise }]) => noise ?? []);
  const max = (field) => percent(Math.max(0, ...noises.map((noise) => noise[field])));
  const unjudged = runs.filter(([, { doubts = [] }]) => doubts.length > 0).map(([kind]) => `\`${kind}\``);
  const warning =
    unjudged.length === 0
      ? ''
      : ` **The machine was too busy for ${unjudged.join(', ')}: do not rely on these figures.**`;
  return `Measured by \`npm run bench -- NAME\` on ${measured.join('; ')}. Noise: the echo's rounds differed by up to ${max('spread')}, other processes used up to ${max('others')} of one core.${warning}`;
}

function figuresTable(rows) {
  const lines = rows.map((row) => {
    const cell = (value) => format(value, row);
    const value = row.verdict === 'missed' ? `**${cell(row.value)}**, misses the floor` : cell(row.value);
    const note = row.note === undefined ? '' : ` (${row.note})`;
    return `| ${row.text}${note} | ${value} | ${cell(row.limits.floor)} | ${cell(row.limits.aim)} |`;
  });
  return `| Measure | Measured | Floor | Aim |\n|---|---:|---:|---:|\n${lines.join('\n')}\n`;
}

function latencyTable(lines) {
  const cell = (value) => value.toFixed(1);
  const rows = lines.map(({ rate, isBusy, isService, p50, p99, p999, worst }) => {
    const what = `${isService ? 'Gatehouse' : 'Echo'}${isBusy ? ', both cores kept busy by others' : ''}`;
    return `| ${whole(rate)} | ${what} | ${[p50, p99, p999, worst].map(cell).join(' | ')} |`;
  });
  return `| Requests a second | Server | Half within, ms | 99% | 99.9% | Slowest |\n|---:|---|---:|---:|---:|---:|\n${rows.join('\n')}\n`;
}

function alternativesTable(lines) {
  const rows = lines.map(
    ({ name, perSecond, cpuMicroseconds, p99 }) =>
      `| ${NAMES[name]} | ${whole(perSecond)} | ${whole(cpuMicroseconds)} µs | ${p99.toFixed(1)} ms |`,
  );
  return `| Server, one core, 32 connections | Requests a second | CPU of each | 99% within |\n|---|---:|---:|---:|\n${rows.join('\n')}\n`;
}

function panelsOf(latencies, alternatives) {
  const quiet = latencies.filter(({ isBusy }) => !isBusy);
  return [
    {
      title: 'Requests a second on one core',
      bars: alternatives.map(({ name, perSecond }) => ({
        label: NAMES[name].replaceAll('`', '').split(':')[0],
        value: perSecond,
        text: whole(perSecond),
        isOurs: name === 'gatehouse',
      })),
    },
    {
      title: '99 of 100 requests answered within',
      bars: quiet.map(({ rate, isService, p99 }) => ({
        label: `${whole(rate)}/s, ${isService ? 'Gatehouse' : 'echo'}`,
        value: p99,
        text: `${p99.toFixed(1)} ms`,
        isOurs: isService,
      })),
    },
  ].filter(({ bars }) => bars.length > 0);
}
