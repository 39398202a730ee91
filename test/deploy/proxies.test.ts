/** The examples of deploy/proxies, with the real proxies of the system: TLS, no metrics, and visitors who cannot claim an address. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { find, install } from '../../scripts/system-package.mjs';
import { fileOf } from '../support/deployment.ts';
import { until } from '../support/expectations.ts';
import { isImpossible } from '../support/missing-programs.ts';
import { plant } from '../support/plant.ts';
import { createInstallation, type Installation, type Service } from '../support/service.ts';

const NAME = 'gatehouse.example.com';
const NGINX_USER_DAEMON = 'daemon off; error_log stderr; events {}';

interface Proxy {
  readonly name: string;
  readonly packages: string;
  /** Replaces the address of the node, and what only works on port 443 and with a name of the public DNS. */
  configure(upstream: string, port: number, folder: string): { file: string; args: string[] };
}

const PROXIES: readonly Proxy[] = [
  {
    name: 'nginx',
    packages: 'nginx-light',
    configure(upstream, port, folder) {
      const site = fileOf('deploy/proxies/nginx.conf')
        .replace(/server \{\n\s+listen 80;[\s\S]*?\n\}\n/, '')
        .replace('server 127.0.0.1:8080;', `server ${upstream};`)
        .replace('listen 443 ssl http2;', `listen ${port} ssl http2;`)
        .replace(/listen \[::\]:443.*\n/, '')
        .replaceAll('/etc/ssl/gatehouse', folder);
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
        .join(' ');
      const file = join(folder, 'nginx.conf');
      writeFileSync(join(folder, 'site.conf'), site);
      const user = process.getuid?.() === 0 ? 'user root;' : '';
      writeFileSync(
        file,
        `${user} pid ${folder}/pid; ${NGINX_USER_DAEMON} http { access_log off; ${temporary} include ${folder}/site.conf; }`,
      );
      return { file: 'nginx', args: ['-p', folder, '-c', file, '-e', 'stderr'] };
    },
  },
  {
    name: 'caddy',
    packages: 'caddy',
    configure(upstream, port, folder) {
      const to = upstream.startsWith('unix:') ? `unix/${upstream.slice('unix:'.length)}` : upstream;
      const site = fileOf('deploy/proxies/Caddyfile')
        .replace('reverse_proxy 127.0.0.1:8080', `reverse_proxy ${to}`)
        .replace(`${NAME} {`, `${NAME}:${port} {\n\ttls ${folder}/fullchain.pem ${folder}/key.pem`);
      const file = join(folder, 'Caddyfile');
      writeFileSync(file, `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}`);
      return { file: 'caddy', args: ['run', '--config', file, '--adapter', 'caddyfile'] };
    },
  },
];

function missing({ name, packages }: Proxy): string | undefined {
  if (find([name]) !== undefined) return undefined;
  const why = install(packages);
  return why === undefined && find([name]) !== undefined ? undefined : `${name}: ${why ?? 'install it'}`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A certificate of a CA of our own. */
function makeCertificate(folder: string): void {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...key,
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-days',
    '2',
    '-subj',
    '/CN=Test CA',
  );
  openssl('req', ...key, '-keyout', 'key.pem', '-out', 'request.pem', '-subj', `/CN=${NAME}`);
  writeFileSync(join(folder, 'names'), `subjectAltName=DNS:${NAME}`);
  const sign = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'names'];
  openssl('x509', '-req', '-in', 'request.pem', '-out', 'fullchain.pem', ...sign);
}

for (const proxy of PROXIES) {
  const why = isImpossible(missing(proxy));
  describe.skipIf(why).each(['tcp', 'unix'])(`${proxy.name}, to a node by %s`, (way) => {
    let installation: Installation;
    let service: Service;
    let child: ChildProcess;
    let folder: string;
    let port: number;
    let live: string;
    let said = '';

    beforeAll(async () => {
      installation = await createInstallation();
      ({ live } = await plant(installation));
      folder = join(installation.directory, 'proxy');
      mkdirSync(folder);
      chmodSync(installation.directory, 0o755);
      makeCertificate(folder);
      const socket = join(installation.directory, 'gatehouse.sock');
      service = await installation.start({
        GATEHOUSE_TRUST_PROXY: '1',
        GATEHOUSE_PUBLIC_URL: `https://${NAME}`,
        ...(way === 'unix' && { HOST: `unix:${socket}` }),
      });
      port = await freePort();
      const upstream = way === 'unix' ? `unix:${socket}` : `127.0.0.1:${service.port}`;
      const { file, args } = proxy.configure(upstream, port, folder);
      const env = {
        PATH: process.env.PATH ?? '',
        HOME: folder,
        XDG_DATA_HOME: folder,
        XDG_CONFIG_HOME: folder,
      };
      child = spawn(find([file]) as string, args, { env, cwd: folder });
      child.stderr?.on('data', (chunk) => (said += chunk));
      await until(async () => {
        if (child.exitCode !== null) throw new Error(said);
        return (await ask('GET', '/readyz').catch(() => undefined))?.status === 200;
      });
    });
    afterAll(async () => {
      if (child !== undefined && child.exitCode === null) {
        child.kill();
        await new Promise((resolve) => child.once('exit', resolve));
      }
      await service?.stop();
      await installation?.remove();
    });

    function ask(
      method: string,
      path: string,
      headers: Record<string, string> = {},
      body = '',
      localAddress = '127.0.0.1',
    ): Promise<{ status: number; text: string; headers: NodeJS.Dict<string | string[]> }> {
      const ca = readFileSync(join(folder, 'ca.pem'));
      const to = { host: '127.0.0.1', port, servername: NAME, ca, localAddress, agent: false } as const;
      return new Promise((resolve, reject) => {
        const question = request({ ...to, method, path, headers: { host: NAME, ...headers } }, (answer) => {
          let text = '';
          answer.setEncoding('utf8').on('data', (chunk) => (text += chunk));
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text, headers: answer.headers }));
        });
        question.on('error', reject);
        question.end(body);
      });
    }

    it('passes signups and pages on, over TLS', async () => {
      const headers = { authorization: `Bearer ${live}`, 'content-type': 'application/json' };
      const signup = JSON.stringify({ email: 'jo@example.com', ip: '203.0.113.9' });
      const { status, text } = await ask('POST', '/v1/assess', headers, signup);
      expect([status, JSON.parse(text)]).toMatchObject([200, { request_id: expect.any(String) }]);
      const page = await ask('GET', '/');
      expect(page).toMatchObject({
        status: 200,
        headers: { 'strict-transport-security': expect.any(String) },
      });
    });

    it('shows nobody the metrics, however the path is written', async () => {
      for (const path of ['/metrics', '//metrics', '/%6detrics', '/x/../metrics', '/metrics/', '/metrics?x'])
        expect([path, (await ask('GET', path)).text]).toEqual([
          path,
          expect.not.stringContaining('gatehouse_'),
        ]);
    });

    it('lets no visitor claim another address or host', async () => {
      const guess = (n: number, localAddress?: string) => {
        const claims = {
          'x-forwarded-for': `192.0.2.${n}`,
          forwarded: `for=192.0.2.${n}`,
          'x-real-ip': `192.0.2.${n}`,
        };
        const own = {
          origin: `https://${NAME}`,
          'x-gatehouse': 'dashboard',
          'content-type': 'application/json',
        };
        const body = JSON.stringify({ email: 'nobody@example.com', password: 'not the password' });
        const headers = { ...own, ...claims, 'x-forwarded-host': 'evil.example' };
        return ask('POST', '/dashboard/auth/sign-in/email', headers, body, localAddress);
      };
      const statuses: number[] = [];
      for (let n = 0; n < 12; n += 1) statuses.push((await guess(n)).status);
      expect([statuses.at(0), statuses.at(-1)]).toEqual([401, 429]);
      expect((await guess(12, '127.0.0.2')).status).toBe(401);
    });
  });
}
