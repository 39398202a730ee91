/** The package for Django, in the project of examples/snippets/django: Django's own form, by class and by function, and django-allauth. */
import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ROOT } from '../support/command.ts';
import { SYSTEMS } from '../support/debian-suites.ts';
import { frameworkSuite } from './framework.suite.ts';
import { run } from './languages.ts';

/** Settings that let a visitor keep her session. */
const COOKIES = `from shop.settings import *  # noqa: F403
SESSION_ENGINE = "django.contrib.sessions.backends.signed_cookies"
`;

/** The policy of a careful site, where the suite sets one. */
const POLICY = `import os


def add_policy(get_response):
    def respond(request):
        response = get_response(request)
        response["Content-Security-Policy"] = os.environ.get("CONTENT_POLICY", "")
        return response

    return respond
`;

const SETTINGS = `
MIDDLEWARE += ["shop.policy.add_policy"]
GATEHOUSE["ON_FAILURE"] = os.environ.get("ON_FAILURE", "allow")
`;

for (const system of SYSTEMS) {
  // Debian's packages belong to its own Python, which need not be the first one.
  const python = system.findProgram(
    {
      packages: ['python3-django-allauth'],
      programs: ['/usr/bin/python3'],
      check: ['-c', 'import django, allauth'],
    },
    'clients/python for Django',
  );
  frameworkSuite({
    browser: true,
    hasOnFailure: true,
    name: system.title('Django', 'python3-django'),
    temporary: system.temporary,
    isMissing: python === undefined,
    forms: ['/signup/', '/signup-by-function/', '/accounts/signup/'],
    fields: (email, password) => ({
      // A name that has nothing of the password.
      username: email.replace('@', '.'),
      email,
      password1: password,
      password2: password,
    }),
    environment: { PYTHONPATH: join(ROOT, 'clients/python/src'), PYTHONDONTWRITEBYTECODE: '1' },
    prepare(folder, environment) {
      cpSync(join(ROOT, 'examples/snippets/django'), folder, { recursive: true });
      run(python ?? '', ['manage.py', 'check'], folder, environment);
      appendFileSync(join(folder, 'shop/settings.py'), SETTINGS);
      writeFileSync(join(folder, 'shop/policy.py'), POLICY);
      writeFileSync(join(folder, 'shop/cookies.py'), COOKIES);
      const cookies = { ...environment, DJANGO_SETTINGS_MODULE: 'shop.cookies' };
      const failed = spawnSync(python ?? '', ['manage.py', 'check', '--fail-level', 'WARNING'], {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, ...cookies },
      });
      expect(failed.stderr).toContain('gatehouse.W001');
      run(python ?? '', ['manage.py', 'migrate', '--verbosity', '0'], folder, environment);
      return [python ?? '', 'manage.py', 'runserver', '--noreload', `127.0.0.1:${environment.PORT}`];
    },
  });
}
