/** The package for Laravel, in the application of examples/snippets/laravel: called by the controller, and as a rule. */
import { appendFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ROOT } from '../support/command.ts';
import { SYSTEMS } from '../support/debian-suites.ts';
import { frameworkSuite } from './framework.suite.ts';

const RUNTIME = {
  packages: ['php-cli', 'php-curl', 'php-laravel-framework', 'php-sqlite3', 'php-xml'],
  programs: ['php'],
  check: [
    '-r',
    // The brackets are needed: without them PHP includes the value of the whole expression, which does not exist, and succeeds.
    'exit((@include_once "Illuminate/autoload.php") && class_exists("PDO") && in_array("sqlite", PDO::getAvailableDrivers()) && function_exists("curl_init") ? 0 : 1);',
  ],
};

/** As composer writes it, with Debian's packages. */
const AUTOLOAD = `<?php
require_once 'Illuminate/autoload.php';
spl_autoload_register(function (string $class): void {
    foreach (['App\\\\' => dirname(__DIR__) . '/app/', 'Gatehouse\\\\' => ${JSON.stringify(join(ROOT, 'clients/php/src/'))}] as $prefix => $folder) {
        $file = $folder . strtr(substr($class, strlen($prefix)), '\\\\', '/') . '.php';
        if (str_starts_with($class, $prefix) && is_file($file)) {
            require $file;
        }
    }
});
`;

/** A route without a session, and the same where the CAPTCHA has no site key. */
const ROUTES = `
Route::post('/stateless', [RegisterController::class, 'store'])->withoutMiddleware('web');
Route::post('/without-site-key', function (\\Illuminate\\Http\\Request $request) {
    config(['gatehouse.captcha' => ['turnstile' => null]]);

    return app()->call([app(RegisterController::class), 'store']);
})->withoutMiddleware('web');
`;

async function post(url: string, email: string): Promise<string> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      'x-forwarded-for': '81.2.69.150',
    },
    body: JSON.stringify({ email, password: 'correct horse 9x' }),
    redirect: 'manual',
  });
  return `${answer.status} ${await answer.text()}`;
}

for (const system of SYSTEMS) {
  const php = system.findProgram(RUNTIME, 'clients/php for Laravel');
  frameworkSuite({
    hasOnFailure: true,
    name: system.title('Laravel', 'php-laravel-framework'),
    temporary: system.temporary,
    isMissing: php === undefined,
    forms: ['/register', '/register-by-rule'],
    fields: (email, password) => ({ email, password }),
    environment: { APP_KEY: `base64:${Buffer.alloc(32, 7).toString('base64')}` },
    more: {
      async 'assesses a signup of a route without a session'(url) {
        expect(await post(`${url}/stateless`, 'someone@mailinator.com')).toMatch(/^422 .*Reference: req_/);
        expect(await post(`${url}/stateless`, 'hugo@gmial.com')).toMatch(/^422 .*mail with a code/);
      },
      async 'sends a mail where the CAPTCHA has no site key'(url) {
        expect(await post(`${url}/without-site-key`, 'ida@gmial.com')).toMatch(/^422 .*mail with a code/);
      },
    },
    prepare(folder, { PORT = '' }) {
      cpSync(join(ROOT, 'examples/snippets/laravel'), folder, { recursive: true });
      for (const part of [
        'vendor',
        'bootstrap/cache',
        'storage/framework/sessions',
        'storage/framework/views',
      ])
        mkdirSync(join(folder, part), { recursive: true });
      appendFileSync(join(folder, 'routes/web.php'), ROUTES);
      const settings = join(folder, 'config/gatehouse.php');
      const onFailure = "return ['on_failure' => env('ON_FAILURE', 'allow'),";
      writeFileSync(settings, readFileSync(settings, 'utf8').replace('return [', onFailure));
      writeFileSync(join(folder, 'storage/shop.sqlite'), '');
      writeFileSync(join(folder, 'vendor/autoload.php'), AUTOLOAD);
      return [php ?? '', '-S', `127.0.0.1:${PORT}`, '-t', 'public', 'public/index.php'];
    },
  });
}
