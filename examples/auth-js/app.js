/** A signup form in front of Auth.js, on Express. */
import { ExpressAuth, getSession } from '@auth/express';
import express from 'express';
import { authConfig } from './auth.js';
import { blockedPage, confirmPage, errorPage, formPage, welcomePage } from './pages.js';

const app = express();
app.set('trust proxy', 'loopback');
app.use('/auth', (request, response, next) =>
  ExpressAuth(authConfig(request, response))(request, response, next),
);

app.get('/', async (request, response) => {
  const session = await getSession(request, authConfig(request, response));
  response.send(session === null ? formPage() : welcomePage());
});
app.get('/confirm', (_request, response) => {
  response.send(confirmPage());
});
app.get('/blocked', ({ query }, response) => {
  response.status(403).send(blockedPage(/^req_\w+$/.exec(String(query.reference))?.[0]));
});
app.get('/error', (_request, response) => {
  response.status(400).send(errorPage());
});

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') console.log(`listening on http://127.0.0.1:${address?.port}`);
});
