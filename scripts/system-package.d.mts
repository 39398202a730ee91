export declare function find(names: readonly string[]): string | undefined;
export declare function install(...names: readonly string[]): string | undefined;
export declare function run(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): string | undefined;
