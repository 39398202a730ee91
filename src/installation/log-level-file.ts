/** Decides where the level of the log is kept that `gatehouse log-level` sets for a running service: until its next start. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'log-level';
const MAX_CHARACTERS = 20;

/** Text of the level; `undefined`: that of the settings. */
export function readLogLevel(dataDir: string): string | undefined {
  try {
    return readFileSync(join(dataDir, FILE), 'utf8').slice(0, MAX_CHARACTERS).trim();
  } catch {
    return undefined;
  }
}

/** @throws when the data folder cannot be written */
export function writeLogLevel(dataDir: string, level: string): void {
  const draft = join(dataDir, `${FILE}.tmp`);
  writeFileSync(draft, `${level}\n`, { mode: 0o600 });
  renameSync(draft, join(dataDir, FILE));
}

export function forgetLogLevel(dataDir: string): void {
  rmSync(join(dataDir, FILE), { force: true });
}
