/** The plugin in a real WordPress on MariaDB: its registration page, and the page with the settings. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { unpack } from '../../scripts/system-package.mjs';
import { ROOT } from '../support/command.ts';
import { isSkipped } from '../support/missing-programs.ts';
import { findProgram } from '../support/runtime-program.ts';
import { frameworkSuite } from './framework.suite.ts';
import { run } from './languages.ts';

const SUBJECT = 'clients/wordpress';
const ADMIN_PASSWORD = 'a password of the test';
const POLL_MS = 50;
const php = findProgram(
  {
    packages: ['php-cli', 'php-curl', 'php-mysql'],
    programs: ['php'],
    check: ['-r', 'exit(function_exists("mysqli_query") && function_exists("curl_init") ? 0 : 1);'],
  },
  SUBJECT,
);
const hasDatabase = findProgram(
  {
    // Without the packages that start it as a service.
    packages: ['mariadb-client-core', 'mariadb-server-core'],
    programs: ['sh'],
    check: ['-c', 'command -v my_print_defaults mariadb-install-db && test -x /usr/sbin/mariadbd'],
  },
  SUBJECT,
);
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-wordpress-'));
const site = join(folder, 'usr/share/wordpress');
// The package itself would start Apache.
const failure = unpack('wordpress', folder);
if (failure !== undefined) isSkipped(`${SUBJECT}: ${failure}`);

let database: ChildProcess | undefined;

frameworkSuite({
  name: 'WordPress',
  isMissing: php === undefined || hasDatabase === undefined || failure !== undefined,
  forms: ['/wp-login.php?action=register'],
  // There is no password: WordPress mails a link. A form without a name is refused.
  fields: (email, password) => ({
    user_login: password === 'short' ? '' : email.replace('@', '.'),
    user_email: email,
  }),
  welcome: /checkemail=registered/,
  environment: { DB_USER: 'root', DB_HOST: `localhost:${join(folder, 'db.sock')}` },
  async prepare(_, environment) {
    // The second application is the same site with other settings.
    if (database === undefined) await install(environment);
    return [php ?? '', '-S', `127.0.0.1:${environment.PORT}`, '-t', site];
  },
  more: {
    async 'decides about customers of WooCommerce, but not about those whom staff create'(url) {
      const register = async (cookie: string) =>
        (await fetch(`${url}/?woocommerce=someone@mailinator.com`, { headers: { cookie } })).text();
      expect(await register('')).toBe('errors: gatehouse_block');
      expect(await register(await logIn(url))).toBe('errors: ');
    },
    async 'has a page with its settings, which says whether Gatehouse answers'(url) {
      const cookie = await logIn(url);
      const page = await fetch(`${url}/wp-admin/options-general.php?page=gatehouse`, { headers: { cookie } });
      const text = await page.text();
      expect(text).toContain('Gatehouse answers. Plan: business.');
      expect(text).toContain('Set by the constant GATEHOUSE_KEY.');
      expect(text).not.toMatch(/sk_live_/);
    },
  },
  async end() {
    database?.kill();
    if (database !== undefined) await once(database, 'close');
    rmSync(folder, { recursive: true, force: true });
  },
});

/** @returns cookies of the administrator */
async function logIn(url: string): Promise<string> {
  const login = await fetch(`${url}/wp-login.php`, {
    method: 'POST',
    headers: { cookie: 'wordpress_test_cookie=WP%20Cookie%20check' },
    body: new URLSearchParams({ log: 'admin', pwd: ADMIN_PASSWORD, testcookie: '1' }),
    redirect: 'manual',
  });
  return login.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
}

async function install(environment: Readonly<Record<string, string>>): Promise<void> {
  const socket = join(folder, 'db.sock');
  const data = join(folder, 'db');
  mkdirSync(data);
  const own = ['--no-defaults', `--datadir=${data}`, '--user=root'];
  run('mariadb-install-db', [...own, '--auth-root-authentication-method=normal', '--skip-test-db'], folder);
  const small = [
    '--innodb-buffer-pool-size=16M',
    '--innodb-log-file-size=8M',
    '--innodb-flush-log-at-trx-commit=0',
  ];
  const args = [...own, ...small, `--socket=${socket}`, '--skip-networking'];
  database = spawn('/usr/sbin/mariadbd', args, { stdio: 'ignore' });
  while (!existsSync(socket)) {
    if (database.exitCode !== null) throw new Error('MariaDB ended');
    await setTimeout(POLL_MS);
  }
  const content = join(site, 'wp-content');
  mkdirSync(join(content, 'mu-plugins'));
  for (const name of ['mail.php', 'woocommerce.php'])
    cpSync(join(import.meta.dirname, 'wordpress', name), join(content, 'mu-plugins', name));
  // Debian's own reads the folders of the system.
  cpSync(join(ROOT, 'examples/snippets/wordpress/wp-config.php'), join(site, 'wp-config.php'));
  run(process.execPath, [join(ROOT, 'scripts/wordpress-plugin.mjs'), join(content, 'plugins')], folder);
  const env = { ...process.env, ...environment, DB_SOCKET: socket, ADMIN_PASSWORD };
  // It sends a mail to the server of this process, which must be able to answer.
  const installation = promisify(execFile)(php ?? '', [join(import.meta.dirname, 'wordpress/install.php')], {
    cwd: site,
    env,
  });
  expect((await installation).stdout).toBe('');
}
