// Checks every package in our lockfiles for known vulnerabilities, with npm; fails for high and critical ones. If npm gives no answer, it only reports that.
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';

/** Folders with a lockfile: the service and its build, the tools, the site. */
const FOLDERS = ['.', 'tools/packages', 'site'];
const ROOT = resolve(import.meta.dirname, '..');

/** Returns the line to print, and whether it is a failure. `output`: of `npm audit --json`. */
export function judgeAudit(folder, output) {
  const { vulnerabilities, metadata } = parse(output);
  if (vulnerabilities === undefined || metadata?.vulnerabilities === undefined)
    return { failed: false, line: `${folder}: not checked, npm could not be asked` };
  const severe = Object.values(vulnerabilities).filter(({ severity }) =>
    /^(?:high|critical)$/.test(severity),
  );
  if (severe.length === 0) return { failed: false, line: `${folder}: no high or critical findings` };
  const names = severe.map(({ name, severity }) => `${name} (${severity})`).join(', ');
  return { failed: true, line: `${folder}: ${names}; see \`npm audit\` there, and update them` };
}

function parse(output) {
  try {
    return JSON.parse(output);
  } catch {
    return {};
  }
}

function audit(folder) {
  const options = { cwd: resolve(ROOT, folder), encoding: 'utf8', stdio: 'pipe', timeout: 120_000 };
  try {
    return execFileSync('npm', ['audit', '--json'], options);
  } catch (error) {
    // npm also exits like this if it has findings.
    return error.stdout ?? '';
  }
}

if (process.argv[1] === import.meta.filename) {
  for (const folder of FOLDERS) {
    const { failed, line } = judgeAudit(folder, audit(folder));
    process.stdout.write(`${line}\n`);
    if (failed) process.exitCode = 1;
  }
}
