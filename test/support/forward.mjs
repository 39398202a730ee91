/** Forwards connections: each argument is `from=to`, a TCP port of this network or the path of a Unix socket on either side. */
import { connect, createServer } from 'node:net';

for (const pair of process.argv.slice(2)) {
  const [from, to] = pair.split('=');
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ ...placeOf(to), host: '127.0.0.1', allowHalfOpen: true });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ]) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
      one.pipe(other);
    }
  });
  server.listen(placeOf(from));
}

function placeOf(text) {
  return text.startsWith('/') ? { path: text } : { port: Number(text) };
}
