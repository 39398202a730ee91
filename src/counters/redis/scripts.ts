/** The scripts that the server runs, one for each thing asked of it. */
import { readFileSync } from 'node:fs';

/** What a client can be asked once it has the scripts: the number of keys, the keys, the arguments. */
export interface ScriptCommands {
  gatehouseAdmit(...given: (string | number)[]): Promise<number[]>;
  gatehouseCount(...given: (string | number)[]): Promise<number[]>;
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

/** A script and what it stands on. */
function read(...names: string[]): string {
  return names.map((name) => readFileSync(new URL(`./${name}.lua`, import.meta.url), 'utf8')).join('\n');
}
