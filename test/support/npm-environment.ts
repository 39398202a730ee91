/** The environment for an npm that a test starts: from the npm that runs the tests it takes only the source of packages. */
import type { Environment } from './service.ts';

const NPM_SETTINGS = /^npm_config_(?:cache|registry|userconfig|globalconfig|proxy|https_proxy|noproxy)$/i;

export function npmEnvironment(): Environment {
  const entries = Object.entries(process.env).filter(
    ([name, value]) =>
      value !== undefined &&
      !/^(?:NODE_ENV|GATEHOUSE_.*)$/.test(name) &&
      (!name.startsWith('npm_') || NPM_SETTINGS.test(name)),
  );
  return Object.fromEntries(entries) as Environment;
}
