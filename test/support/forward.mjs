/** Forwards connections: each argument is `from=to`, each side a TCP port of this network or the path of a Unix socket. */
import { connect, createServer } from 'node:net';

for (const pair of process.argv.slice(2)) {
  const [from, to] = pair.split('=');
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ ...placeOf(to), host: '127.0.0.1', allowHalfOpen: true });
    for (const [source, target] of [
      [near, far],
      [far, near],
    ]) {
      source.on('error', () => target.destroy());
      source.on('close', () => target.destroy());
      source.pipe(target);
    }
  });
  server.listen(placeOf(from));
}

function placeOf(text) {
  return text.startsWith('/') ? { path: text } : { port: Number(text) };
}
