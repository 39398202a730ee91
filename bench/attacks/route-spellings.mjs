// Every spelling of /metrics with percent-encoded letters, and metrics on a separate port.
import { createServer } from 'node:net';
import { ask } from '../attack-parts/sockets.mjs';
import { startTarget } from '../attack-parts/target.mjs';

const WORD = 'metrics';
const AT_ONCE = 32;

export const attack = {
  what: 'all 127 other spellings of `/metrics` with letters percent-encoded, with other capitals of the hex digits and of the word, a doubled or a trailing slash, and in absolute form',
  before: '`/%6detrics` answered 200 with all metrics, past the HAProxy file that denies `/metrics`',
  async run() {
    const failures = [];
    const metricsPort = await freePort();
    const [open, apart] = [
      await startTarget(),
      await startTarget({ env: { GATEHOUSE_METRICS_PORT: String(metricsPort) } }),
    ];
    const spellings = [
      ...allEncodings(),
      '//metrics',
      '/metrics/',
      '/Metrics',
      '/./metrics',
      '/x/../metrics',
    ];
    const shown = async (target, paths) => {
      const bodies = [];
      for (let at = 0; at < paths.length; at += AT_ONCE)
        bodies.push(...(await Promise.all(paths.slice(at, at + AT_ONCE).map((path) => ask(target, path)))));
      return paths.filter((_path, at) => bodies[at].text.includes('gatehouse_requests_total'));
    };
    const leaks = await shown(open, spellings);
    const plain = ['/metrics', `http://127.0.0.1:${apart.port}/metrics`, ...spellings];
    const onMain = await shown(apart, plain);
    const own = await ask({ port: metricsPort }, '/metrics');
    if (leaks.length > 0) failures.push(`metrics under ${leaks.join(', ')}`);
    if (onMain.length > 0) failures.push(`metrics on the main port under ${onMain.join(', ')}`);
    if (own.status !== 200) failures.push(`the metrics port answered ${own.status}`);
    return {
      seen: `${leaks.length} of ${spellings.length} other spellings show metrics; with \`GATEHOUSE_METRICS_PORT\` ${onMain.length} of ${plain.length} on the main port, not even at \`/metrics\``,
      failures,
    };
  },
};

/** All spellings except the plain one, each with upper-case and lower-case hex digits. */
function allEncodings() {
  const spellings = new Set();
  for (let mask = 1; mask < 2 ** WORD.length; mask += 1) {
    const hex = (letter) => `%${letter.charCodeAt(0).toString(16)}`;
    const path = `/${[...WORD].map((letter, at) => (mask & (1 << at) ? hex(letter) : letter)).join('')}`;
    spellings.add(path).add(path.replace(/%../g, (code) => code.toUpperCase()));
  }
  return [...spellings];
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
