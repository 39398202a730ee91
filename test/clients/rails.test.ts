/** The package for Rails, in the application of examples/snippets/rails: with a form of its own, and Devise. */
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/command.ts';
import { findProgram } from '../support/runtime-program.ts';
import { frameworkSuite } from './framework.suite.ts';

const ruby = findProgram(
  {
    packages: [
      'ruby',
      'ruby-actionmailer',
      'ruby-activerecord',
      'ruby-bcrypt',
      'ruby-devise',
      'ruby-railties',
      'ruby-sqlite3',
      'ruby-webrick',
    ],
    programs: ['ruby'],
    check: [
      '-e',
      '%w[action_mailer/railtie active_record/railtie bcrypt devise sqlite3 webrick].each { |part| require part }',
    ],
  },
  'clients/ruby for Rails',
);

const ON_FAILURE = `Rails.application.config.gatehouse.on_failure = ENV["ON_FAILURE"]
`;

frameworkSuite({
  hasOnFailure: true,
  name: 'Rails',
  isMissing: ruby === undefined,
  forms: ['/signup', '/members/sign_up'],
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
    // As `rackup` does it, whose name changes with the version of Rack.
    const serve = `require "rack"; require "webrick"; app = Rack::Builder.parse_file("config.ru"); Rack::Handler::WEBrick.run(Array(app).first, Host: "127.0.0.1", Port: ${PORT})`;
    return [ruby ?? '', '-e', serve];
  },
});
