/** The threads of the embedded store run the built modules, in tests as well. */
export const built = (module: string) => new URL(`../../dist/store/sqlite/${module}`, import.meta.url);

export const BUILT_THREADS = {
  writer: built('writer.js'),
  checkpointer: built('checkpointer.js'),
  logThread: built('history-thread.js'),
};
