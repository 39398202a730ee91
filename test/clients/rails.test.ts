/** The package for Rails, in the application of examples/snippets/rails: with a form of its own, and Devise. */
import { spawnSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { install } from '../../scripts/system-package.mjs';
import { ROOT } from '../support/command.ts';
import { SYSTEMS, type System } from '../support/debian-suites.ts';
import { isImpossible } from '../support/missing-programs.ts';
import { frameworkSuite } from './framework.suite.ts';

const PARTS = ['action_mailer/railtie', 'active_record/railtie', 'bcrypt', 'sqlite3', 'webrick'];
const requires = (...parts: readonly string[]) => [
  '-e',
  `%w[${parts.join(' ')}].each { |part| require part }`,
];
const RUNTIME = {
  packages: [
    'ruby',
    'ruby-actionmailer',
    'ruby-activerecord',
    'ruby-bcrypt',
    'ruby-railties',
    'ruby-sqlite3',
    'ruby-webrick',
  ],
  programs: ['ruby'],
  check: requires(...PARTS),
};

/** Only Debian 12 has it. */
function findDevise({ name }: System, ruby: string): boolean {
  const isThere = () => spawnSync(ruby, requires(...PARTS, 'devise'), { stdio: 'ignore' }).status === 0;
  if (isThere()) return true;
  const failure = name === '' ? install('ruby-devise') : 'no such package';
  return !isImpossible(isThere() ? undefined : `clients/ruby with Devise ${name}: ${failure}`);
}

const ON_FAILURE = `Rails.application.config.gatehouse.on_failure = ENV["ON_FAILURE"]
`;

for (const system of SYSTEMS) {
  const ruby = system.findProgram(RUNTIME, 'clients/ruby for Rails');
  const hasDevise = ruby !== undefined && findDevise(system, ruby);
  frameworkSuite({
    hasOnFailure: true,
    name: system.title('Rails', 'ruby-railties'),
    temporary: system.temporary,
    isMissing: ruby === undefined,
    forms: ['/signup', ...(hasDevise ? ['/members/sign_up'] : [])],
    fields: (email, password) => ({
      'user[email]': email,
      'user[password]': password,
      'member[email]': email,
      'member[password]': password,
    }),
    environment: { RUBYLIB: join(ROOT, 'clients/ruby/lib'), RAILS_ENV: 'production' },
    prepare(folder, { PORT = '' }) {
      cpSync(join(ROOT, 'examples/snippets/rails'), folder, { recursive: true });
      writeFileSync(join(folder, 'config/initializers/gatehouse.rb'), ON_FAILURE);
      // As `rackup` does it, whose name and place change with the version of Rack.
      const handler = 'begin; require "rackup"; Rackup; rescue LoadError; Rack; end';
      const serve = `require "rack"; require "webrick"; app = Rack::Builder.parse_file("config.ru"); (${handler})::Handler::WEBrick.run(Array(app).first, Host: "127.0.0.1", Port: ${PORT})`;
      return [ruby ?? '', '-e', serve];
    },
  });
}
