// Preloaded by `npm run dev` into scripts that import the build: they get the same modules from dist-dev instead.
import { register } from 'node:module';

const [built, emitted] = ['../dist/', '../dist-dev/'].map((path) => new URL(path, import.meta.url).href);
const hooks = `export async function resolve(specifier, context, next) {
  const { href } = URL.canParse(specifier, context.parentURL) ? new URL(specifier, context.parentURL) : { href: '' };
  const url = href.replace(${JSON.stringify(built)}, ${JSON.stringify(emitted)});
  return url === href ? next(specifier, context) : { url, shortCircuit: true };
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
