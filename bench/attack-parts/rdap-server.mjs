// A registry on loopback that knows the age of every domain of `.com`, with the bootstrap document that leads to it.
import { createServer } from 'node:http';

const HOST = '127.0.0.1';

/** Resolves to the URL of the bootstrap document, the number of requested domains, and a function that ends the server. */
export async function startRegistry() {
  let queries = 0;
  const server = createServer(({ url }, response) => {
    const origin = `http://${HOST}:${server.address().port}/`;
    response.setHeader('content-type', 'application/rdap+json');
    if (url.endsWith('dns.json')) {
      response.end(JSON.stringify({ version: '1.0', services: [[['com'], [`${origin}rdap/`]]] }));
      return;
    }
    queries += 1;
    const event = { eventAction: 'registration', eventDate: '2015-03-04T00:00:00Z' };
    response.end(JSON.stringify({ objectClassName: 'domain', events: [event] }));
  });
  await new Promise((done) => server.listen(0, HOST, done));
  return {
    bootstrapUrl: `http://${HOST}:${server.address().port}/dns.json`,
    queries: () => queries,
    close: () => server.close(),
  };
}
