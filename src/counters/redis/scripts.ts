/** The scripts that the server runs, one for each operation. */
import { readFileSync } from 'node:fs';

/** The scripts as commands of the client. Arguments: the number of keys, the keys, further arguments. */
export interface ScriptCommands {
  gatehouseAdmit(...args: (string | number)[]): Promise<number[]>;
  gatehouseCount(...args: (string | number)[]): Promise<number[]>;
  gatehouseUndo(...given: (string | number)[]): Promise<number>;
  gatehouseRestore(...given: (string | number)[]): Promise<number>;
  gatehouseTime(...given: (string | number)[]): Promise<[seconds: string, microseconds: string]>;
}

export const SCRIPTS: Record<keyof ScriptCommands, { lua: string }> = {
  gatehouseAdmit: { lua: read('rate', 'admit') },
  gatehouseCount: { lua: read('rate', 'attempts', 'count') },
  gatehouseUndo: { lua: read('undo') },
  gatehouseRestore: { lua: read('attempts', 'restore') },
  gatehouseTime: { lua: read('time') },
};

/** A script after the scripts that it needs. */
function read(...names: string[]): string {
  return names.map((name) => readFileSync(new URL(`./${name}.lua`, import.meta.url), 'utf8')).join('\n');
}
