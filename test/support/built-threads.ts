/** The threads of the embedded store run the built modules, in tests as well. */
export const built = (module: string) => new URL(`../../dist/store/${module}`, import.meta.url);

/** Long enough for a busy machine. Tests of the limits set their own. */
const PATIENT_MS = 60_000;

/** Deadlines of a store's writes that a busy machine keeps. */
export const PATIENT_WRITES = { waitMs: PATIENT_MS, answerMs: PATIENT_MS, lockMs: PATIENT_MS };
/** Questions wait until everything is indexed. */
export const PATIENT_READS = { patienceMs: PATIENT_MS };

export const BUILT_THREADS = {
  writer: built('writer/writer.js'),
  checkpointer: built('writer/checkpointer.js'),
  historyThread: built('history-index/history-thread.js'),
};
