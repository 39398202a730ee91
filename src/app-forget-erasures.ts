/** Takes an account that is deleted out of the list of erasures in the data folder. */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { erasuresFile } from './app-erasures.ts';
import type { Config } from './config.ts';

/** Lines of other accounts stay as they are. */
export function forgetErasures(config: Pick<Config, 'dataDir'>, accountId: string): void {
  const file = erasuresFile(config);
  if (!existsSync(file)) return;
  const lines = readFileSync(file, 'utf8').split('\n');
  const kept = lines.filter((line) => accountOf(line) !== accountId);
  if (kept.length === lines.length) return;
  if (kept.every((line) => line === '')) {
    rmSync(file);
    return;
  }
  const next = `${file}.next`;
  writeFileSync(next, kept.join('\n'), { mode: 0o600, flush: true });
  renameSync(next, file);
}

function accountOf(line: string): unknown {
  try {
    return (JSON.parse(line) as { account?: unknown }).account;
  } catch {
    return undefined;
  }
}
