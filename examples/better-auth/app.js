/** A signup form in front of better-auth, on plain Node.js. */
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';
import { clientIp } from 'gatehouse-client';
import { auth } from './auth.js';
import { formPage } from './pages.js';

const { runMigrations } = await getMigrations(auth.options);
await runMigrations();

/** Files of the widget for the proof of work, from the package `altcha`. */
const WIDGET = new Map([
  ['/altcha.js', { file: 'external/altcha.min.js', type: 'text/javascript' }],
  ['/altcha.css', { file: 'external/altcha.css', type: 'text/css' }],
  ['/pbkdf2.js', { file: 'workers/pbkdf2.js', type: 'text/javascript' }],
]);

const handle = toNodeHandler(auth);
const server = createServer((request, response) => {
  const widget = WIDGET.get(request.url ?? '');
  // better-auth does not see the connection, so the address goes into a header and replaces what the visitor sent.
  request.headers['x-client-ip'] = clientIp(request, { trustedProxies: ['loopback'] }) ?? '';
  if (request.url?.startsWith('/api/auth/')) handle(request, response);
  else if (widget) {
    response.setHeader('content-type', widget.type);
    createReadStream(new URL(`node_modules/altcha/dist/${widget.file}`, import.meta.url)).pipe(response);
  } else response.setHeader('content-type', 'text/html; charset=utf-8').end(formPage());
});
server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') console.log(`listening on http://127.0.0.1:${address?.port}`);
});
