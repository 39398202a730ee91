/** Decides whether the text at the end of a backup is a manifest: the author of the file writes its digests, too, so nothing in it is believed. */

/** One of the files in a backup. */
export interface BackupPart {
  /** Path within the data folder, with `/`. */
  readonly path: string;
  readonly bytes: number;
  /** 64 hexadecimal digits. */
  readonly sha256: string;
}

/** The parts of a backup, and the version that wrote it. */
export interface BackupManifest {
  /** Version of Gatehouse. */
  readonly version: string;
  /** Version of the database: the number of its migrations. */
  readonly schema: number;
  /** Time at which it was taken, RFC 3339. */
  readonly at: string;
  readonly assessments: number;
  /** Settings of the feeds, as they were: no secrets. */
  readonly settings: Readonly<Record<string, string>>;
  /** Parts in the order of their bytes; the database is first, so that SQLite itself could open the file. */
  readonly parts: readonly BackupPart[];
}

/** The database is the first part. */
export const DATABASE = 'gatehouse.db';
/** The only files that a restore may write, independent of the manifest. */
const PATHS =
  /^(?:gatehouse\.db|secret\.key|feeds\.json|intel\/feeds\/[a-zA-Z0-9%-]{1,200}\/(?:state\.json|departed\.gz|[0-9a-f]{16}\.gz))$/;
const SETTING = /^GATEHOUSE_[A-Z_]{1,60}$/;
const VERSION = /^[0-9A-Za-z.+-]{1,64}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;
const SHA256 = /^[0-9a-f]{64}$/;
const MAX_PARTS = 100_000;
const MAX_SETTING = 10_000;
const MAX_SHOWN = 80;

/** The manifest, or what is wrong with it. */
export function parseManifest(text: string): BackupManifest | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'its manifest is not JSON';
  }
  if (!isRecord(value)) return 'its manifest is not an object';
  const { version, schema, at, assessments, settings, parts } = value;
  if (!isText(version, VERSION)) return 'its manifest has no version';
  if (!isCount(schema) || schema === 0) return 'its manifest has no schema number';
  if (!isText(at, INSTANT) || Number.isNaN(Date.parse(at))) return 'its manifest has no time';
  if (!isCount(assessments)) return 'its manifest has no number of assessments';
  if (!isSettings(settings)) return 'the settings in its manifest are not texts by name';
  if (!Array.isArray(parts) || parts.length > MAX_PARTS) return 'its manifest has no list of files';
  const seen = new Set<string>();
  for (const part of parts as unknown[]) {
    const why = isRecord(part) ? faultOf(part, seen) : 'a file in its manifest is not an object';
    if (why !== undefined) return why;
  }
  const [first] = parts as readonly BackupPart[];
  if (first?.path !== DATABASE) return `its first file is not ${DATABASE}`;
  return { version, schema, at, assessments, settings, parts };
}

/** @param seen the paths so far */
function faultOf({ path, bytes, sha256 }: Record<string, unknown>, seen: Set<string>): string | undefined {
  if (!isText(path, PATHS)) return `it contains the unknown file ${show(path)}`;
  if (seen.has(path.toLowerCase())) return `it contains ${path} twice`;
  seen.add(path.toLowerCase());
  if (!isCount(bytes)) return `its manifest has no length of ${path}`;
  return isText(sha256, SHA256) ? undefined : `its manifest has no digest of ${path}`;
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? 'without a name').slice(0, MAX_SHOWN);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown, form: RegExp): value is string {
  return typeof value === 'string' && form.test(value);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isSettings(value: unknown): value is Record<string, string> {
  return (
    isRecord(value) &&
    Object.entries(value).every(
      ([name, text]) => SETTING.test(name) && typeof text === 'string' && text.length <= MAX_SETTING,
    )
  );
}
