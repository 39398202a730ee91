// Makes a folder with a suite of Debian, and installs packages in it: FOLDER SUITE PACKAGE… The caller has the lock of the folder. If the archive or this machine does not give it, it prints why and ends with NOT_TO_BE_HAD; everything else that fails is an exception.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const [folder, suite, ...packages] = process.argv.slice(2);
/** A suite that changes is made again after a week. */
const MAX_AGE_MS = 7 * 86_400_000;
/** Limit of one step: a machine may be busy, an archive must not hang. */
const STEP_MS = 900_000;
const APT = `Acquire::Languages "none";
Acquire::Retries "2";
// Testing has no security updates, and its lists may be weeks old; signatures are checked all the same.
Acquire::Check-Valid-Until "false";
APT::Install-Recommends "false";
`;
/** No text for people is read, and nothing must outlive a power failure. */
const DPKG = `path-exclude=/usr/share/doc/*
path-exclude=/usr/share/locale/*
path-exclude=/usr/share/man/*
force-unsafe-io
`;
/** Exit code, also known to debian-suites.ts. */
const NOT_TO_BE_HAD = 3;
const made = join(folder, 'made');

function run(command, ...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' };
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    env,
    encoding: 'utf8',
    timeout: STEP_MS,
  });
  if (status === 0) return;
  const said = `${stdout}\n${stderr}`.trim().split('\n');
  const line = error?.message ?? said.findLast((each) => /^E: /.test(each)) ?? said.at(-1);
  process.stdout.write(`${command}: ${line}\n`);
  process.exit(NOT_TO_BE_HAD);
}

if (!existsSync(made) || statSync(made).mtimeMs < Date.now() - MAX_AGE_MS) {
  // One that was interrupted has mounted these.
  for (const mounted of ['proc', 'sys']) spawnSync('umount', ['--quiet', join(folder, mounted)]);
  spawnSync('rm', ['-rf', '--one-file-system', folder]);
  // An older debootstrap knows no newer suite by its name; all are made as unstable is.
  run('debootstrap', '--variant=minbase', suite, folder, '', 'sid');
  writeFileSync(join(folder, 'etc/apt/apt.conf.d/99tests'), APT);
  writeFileSync(join(folder, 'etc/dpkg/dpkg.cfg.d/tests'), DPKG);
  for (const text of ['doc', 'locale', 'man'])
    rmSync(join(folder, 'usr/share', text), { recursive: true, force: true });
  copyFileSync('/etc/hosts', join(folder, 'etc/hosts'));
  // A path of the folder means the same inside. Outside, the link leads back to the folder, too.
  mkdirSync(join(folder, dirname(folder)), { recursive: true });
  symlinkSync(relative(join(folder, dirname(folder)), folder), join(folder, folder));
  run('chroot', folder, 'apt-get', 'update');
  writeFileSync(made, '');
}
if (packages.length > 0) {
  run('chroot', folder, 'apt-get', 'install', '-y', ...packages);
  run('chroot', folder, 'apt-get', 'clean');
}
