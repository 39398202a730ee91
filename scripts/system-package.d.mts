export declare function find(names: readonly string[]): string | undefined;
export declare function install(...names: readonly string[]): string | undefined;
export declare function run(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): string | undefined;

/** Unpacks a package of the system into a folder, without installing it. @returns why it failed, or `undefined` */
export function unpack(name: string, folder: string, aptGet?: string): string | undefined;
