/**
 * Builds the provider for Keycloak as a jar, with the JDK of this machine. Keycloak's interfaces are the ones in `interfaces`, or
 * with KEYCLOAK_HOME those of that installation. Jackson comes from there too, otherwise from Debian's libjackson2-databind-java.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { filesBelow } from '../../scripts/build-inputs.mjs';
import { readOptions } from '../../scripts/read-options.mjs';

const HERE = import.meta.dirname;
const ROOT = resolve(HERE, '../..');
const JAVA_RELEASE = '17';
const JACKSON = ['core', 'databind', 'annotations'].map((part) => `/usr/share/java/jackson-${part}.jar`);

const { positionals } = readOptions(
  'node clients/keycloak/build.mjs [folder]\n  writes the jar to this folder; default: clients/keycloak/dist',
  { words: 1 },
);
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const folder = resolve(positionals[0] ?? join(HERE, 'dist'));
const jar = join(folder, `gatehouse-keycloak-${version}.jar`);
const home = process.env.KEYCLOAK_HOME;
const work = mkdtempSync(join(tmpdir(), 'gatehouse-keycloak-'));
try {
  const classes = join(work, 'classes');
  const interfaces = join(work, 'interfaces');
  if (home === undefined) compile(interfaces, JACKSON, join(HERE, 'interfaces'));
  compile(
    classes,
    home === undefined ? [interfaces, ...JACKSON] : [join(home, 'lib/lib/main/*')],
    join(HERE, 'src'),
  );
  cpSync(join(HERE, 'src/META-INF'), join(classes, 'META-INF'), { recursive: true });
  copyFileSync(join(ROOT, 'LICENSE'), join(classes, 'META-INF/LICENSE'));
  mkdirSync(folder, { recursive: true });
  execFileSync('jar', ['--create', '--file', jar, '-C', classes, '.'], { stdio: 'inherit' });
  process.stdout.write(`wrote ${jar}\n`);
} finally {
  rmSync(work, { recursive: true, force: true });
}

function compile(target, classPath, sources) {
  const options = ['--release', JAVA_RELEASE, '-Xlint:all', '-proc:none'];
  const files = filesBelow(sources, (name) => name.endsWith('.java'));
  execFileSync('javac', [...options, '-cp', classPath.join(':'), '-d', target, ...files], {
    stdio: 'inherit',
  });
}
