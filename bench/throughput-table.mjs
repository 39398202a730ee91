// Prints the results of throughput.
import { print } from './measure.mjs';

const HEADINGS =
  'connections  ratio      /s  p50 ms  p99 ms  CPU µs  ÷ echo  owed s  batch  bytes    echo/s  CPU µs';
let isBegun = false;

export function printThroughput(line) {
  if (!isBegun) print(`service  ${HEADINGS}`);
  isBegun = true;
  const cells = [
    line.service.padEnd(7),
    String(line.connections).padStart(11),
    line.ratio.toFixed(3),
    line.perSecond.toFixed(0).padStart(7),
    line.p50.toFixed(2).padStart(6),
    line.p99.toFixed(2).padStart(6),
    line.cpuMicroseconds.toFixed(1).padStart(6),
    line.cpuRatio.toFixed(2).padStart(6),
    line.owedSeconds.toFixed(0).padStart(6),
    line.batch.toFixed(1).padStart(5),
    line.bytes.toFixed(0).padStart(5),
    line.echoPerSecond.toFixed(0).padStart(8),
    line.echoMicroseconds.toFixed(1).padStart(6),
  ];
  print(cells.join('  '));
  const threads = Object.entries(line.threads)
    .sort(([, a], [, b]) => b - a)
    .map(([name, microseconds]) => `${name} ${microseconds.toFixed(1)}`);
  print(`         µs by thread: ${threads.join(', ')}`);
  print(`         ratio of each round: ${line.ratios.map((ratio) => ratio.toFixed(3)).join(', ')}`);
  if (line.getRatio !== undefined) print(`         GET ÷ echo: ${line.getRatio.toFixed(3)}`);
}

/** Compares the later services with the first, at a given number of connections. */
export function printComparison([first, ...others]) {
  for (const other of others) {
    const ratio = (field) => (other[field] / first[field]).toFixed(3);
    print(
      `         ${other.service} ÷ ${first.service}: CPU ${ratio('cpuMicroseconds')}, requests/s ${ratio('perSecond')}, bytes ${ratio('bytes')}`,
    );
  }
}
