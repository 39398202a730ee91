/** The plugin in a real WordPress on MariaDB: its registration page, and the page with the settings. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { ROOT } from '../support/command.ts';
import { OWN_SYSTEM, SYSTEMS, type System } from '../support/debian-suites.ts';
import { isImpossible, isSkipped } from '../support/missing-programs.ts';
import { findProgram } from '../support/runtime-program.ts';
import { frameworkSuite } from './framework.suite.ts';
import { run } from './languages.ts';

const SUBJECT = 'clients/wordpress';
const ADMIN_PASSWORD = 'a password of the test';
const POLL_MS = 50;
const PHP = {
  packages: ['libphp-phpmailer', 'php-cli', 'php-curl', 'php-getid3', 'php-mysql'],
  programs: ['php'],
  check: [
    '-r',
    'exit(function_exists("mysqli_query") && function_exists("curl_init") && is_dir("/usr/share/php/libphp-phpmailer") && is_dir("/usr/share/php/getid3") ? 0 : 1);',
  ],
};
/** MariaDB of this system, which serves every suite. */
const hasDatabase =
  findProgram(
    {
      // Without the packages that start it as a service.
      packages: ['mariadb-client-core', 'mariadb-server-core'],
      programs: ['sh'],
      check: ['-c', 'command -v my_print_defaults mariadb-install-db && test -x /usr/sbin/mariadbd'],
    },
    SUBJECT,
  ) !== undefined;

for (const system of SYSTEMS) {
  const php = system.findProgram(PHP, SUBJECT);
  if (php !== undefined && hasDatabase) await tryWith(system, php);
}

async function tryWith(system: System, php: string): Promise<void> {
  const folder = mkdtempSync(join(system.temporary, 'gatehouse-wordpress-'));
  const site = join(folder, 'usr/share/wordpress');
  // The package itself would start Apache.
  const failure = system.unpack('wordpress', folder);
  if (failure !== undefined) (system === OWN_SYSTEM ? isSkipped : isImpossible)(`${SUBJECT}: ${failure}`);
  // Its package has links to those of others.
  if (failure === undefined) symlinkSync('/usr/share/php', join(folder, 'usr/share/php'));
  let database: ChildProcess | undefined;
  frameworkSuite({
    name: `WordPress ${version(site)} ${system.name}`.trim(),
    temporary: system.temporary,
    isMissing: failure !== undefined,
    forms: ['/wp-login.php?action=register'],
    // There is no password: WordPress mails a link. A form without a name is refused.
    fields: (email, password) => ({
      user_login: password === 'short' ? '' : email.replace('@', '.'),
      user_email: email,
    }),
    welcome: /checkemail=registered/,
    environment: { DB_USER: 'root', DB_HOST: `localhost:${system.inside(join(folder, 'db.sock'))}` },
    async prepare(_, environment) {
      // The second application is the same site with other settings.
      if (database === undefined) {
        database = startDatabase(folder);
        await install(php, database, folder, environment);
      }
      return [php, '-S', `127.0.0.1:${environment.PORT}`, '-t', site];
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
        const page = await fetch(`${url}/wp-admin/options-general.php?page=gatehouse`, {
          headers: { cookie },
        });
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
}

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

function startDatabase(folder: string): ChildProcess {
  const data = join(folder, 'db');
  mkdirSync(data);
  const own = ['--no-defaults', `--datadir=${data}`, '--user=root'];
  run('mariadb-install-db', [...own, '--auth-root-authentication-method=normal', '--skip-test-db'], folder);
  const small = [
    '--innodb-buffer-pool-size=16M',
    '--innodb-log-file-size=8M',
    '--innodb-flush-log-at-trx-commit=0',
  ];
  // From the folder of the data: the whole path may be too long for a socket.
  const args = [...own, ...small, '--socket=../db.sock', '--skip-networking'];
  return spawn('/usr/sbin/mariadbd', args, { stdio: 'ignore' });
}

async function install(
  php: string,
  database: ChildProcess,
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  const site = join(folder, 'usr/share/wordpress');
  while (!existsSync(join(folder, 'db.sock'))) {
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
  const program = join(folder, 'install.php');
  cpSync(join(import.meta.dirname, 'wordpress/install.php'), program);
  const env = {
    ...process.env,
    ...environment,
    DB_SOCKET: environment.DB_HOST?.split(':')[1],
    ADMIN_PASSWORD,
  };
  // It sends a mail to the server of this process, which must be able to answer.
  const installation = promisify(execFile)(php, [program], {
    cwd: site,
    env,
  });
  expect((await installation).stdout).toBe('');
}

function version(site: string): string {
  const file = join(site, 'wp-includes/version.php');
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return /wp_version = '([^']+)'/.exec(text)?.[1] ?? '';
}
