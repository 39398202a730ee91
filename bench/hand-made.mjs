// A typical self-made alternative: a route on bare node:http that looks the domain up in mailchecker's list of disposable domains, and the IP's country with mmdb-lib. It stores and counts nothing.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import MailChecker from 'mailchecker';
import { installTools } from '../tools/install-tools.mjs';

const MMDB = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb';
const require = createRequire(join(await installTools(), 'package.json'));
const { Reader } = require('mmdb-lib');
const countries = new Reader(readFileSync(require.resolve(MMDB)));
const CHALLENGED = new Set(['T1', 'XX']);

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const { email, ip } = JSON.parse(Buffer.concat(chunks).toString());
    const isListed = !MailChecker.isValid(email);
    const country = countries.get(ip)?.country_code ?? '';
    const verdict = isListed ? 'block' : CHALLENGED.has(country) ? 'challenge' : 'allow';
    const body = JSON.stringify({ verdict, country, disposable: isListed });
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
    });
    response.end(body);
  });
});

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(
    `${JSON.stringify({ url: `http://127.0.0.1:${server.address().port}`, msg: 'listening' })}\n`,
  );
});
