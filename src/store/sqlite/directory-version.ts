/** Stamps each change of the directory with a new version, so that running services find it. */
import type { Statement } from './jobs.ts';

/** Stands first in the job of a change. */
export const NEXT_VERSION: Statement = {
  sql: "UPDATE meta SET value = value + 1 WHERE name = 'directory_version'",
  values: [],
};

/** The version that the change itself is stamped with, as an expression. */
export const CURRENT_VERSION = "(SELECT value FROM meta WHERE name = 'directory_version')";
